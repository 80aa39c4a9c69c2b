"""The core that every learner lives in. README.md in this folder says in a page what each file is for."""
