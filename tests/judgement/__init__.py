"""What the laboratory says, judged from outside: by pipelines written by hand, and by tables whose truth is known."""
