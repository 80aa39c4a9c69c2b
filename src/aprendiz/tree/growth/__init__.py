"""Growing a tree: in every node, the split that lowers the impurity most.

With S_k the weight of class k in a node (or the weighted sum of output k) and w its weight, the impurities have the form

    w·i(t) = constant − f(S, w),                                                                              (1)

    gini, squared error    f = Σ S_k² / w                  entropy    f = Σ S_k log S_k − w log w
    error rate             f = max S_k                     poisson    f = Σ S_k log(S_k / w)

so that a split with branches b lowers the impurity of all rows by

    Δ = Σ_b f(S_b, w_b) − f(S, w)                                                                             (2)

which needs nothing but a table of each column in the node: for every value that occurs, S and w. Columns are codes 0, 1, 2, …
(coding.py), in the order of the values where they have one.

    rare_rows           rows that get bins of their own
    sampled_codes       codes of large tables, wherever their rows are
    opened_bins         in small nodes, every value again
    own_codes           codes of its own for a column in a node
    grow_tree           which parts of the growth a fit asks for, and room for it
    grow                the loop: nodes that are made, searched and divided
      rows_of_node      the rows of a node side by side, sums, impurity
      search            the best split of a node
        histograms      short columns (at most 255 values): tallied
        sorted_columns  long columns: kept sorted from the start, since a part of sorted rows is sorted
        cuts            numbers, ordered levels: every cut between neighbouring values
        levels          no order: subsets of levels, or a branch for each
        random_cuts     a cut at a random place
        absolute_errors medians, one row after another
        gain_ratio      C4.5's choice among the columns
      division          which branch each row takes, missing cells included
        partition       rows of one branch together, in the order they had
        surrogates      splits of other columns that agree with the node's own
    monotone            predictions that must not fall, or rise, with a column
    search_tables       splits from tables of all columns that add (levelwise.py)
    impurity, records

A fit compiles what it asks for: the parts above that it does not use are None in `records.Parts`, and Numba leaves out what
stands behind `if part is not None`.

Cost: O(n·d) a level; nothing is sorted after the start.
References: Breiman, Friedman, Olshen & Stone, "Classification and Regression Trees", 1984; Quinlan, "C4.5", 1993.
"""
