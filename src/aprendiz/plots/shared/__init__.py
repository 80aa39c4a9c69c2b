"""What all pictures are made from: the base of the Displays, their look, words, names and bars. For the Displays of this
package; reports and the pictures of pages use the look.
"""
