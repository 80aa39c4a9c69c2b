"""Fits for many penalties, each started from the one before."""
