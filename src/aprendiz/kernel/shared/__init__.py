"""Parts that several learners of the family share: the kernel that a user chose."""
