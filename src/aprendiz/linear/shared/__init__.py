"""What several linear learners share: the linear function of a regressor or a classifier, epochs over the rows, many classes as
problems of two. For the learners of this family; nothing here is a learner by itself.
"""
