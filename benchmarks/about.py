"""The texts of docs/benchmarks.md: the title of each family, what is measured there, and how everything is measured."""

TITLES = {
    "preprocessing": "Scalers and imputers",
    "text": "Text",
    "linear": "Linear models",
    "bayes": "Naive Bayes",
    "discriminants": "Discriminant analysis",
    "neighbors": "Nearest neighbours",
    "tree": "Decision trees",
    "ensemble": "Ensembles",
    "boosting": "Gradient boosting",
    "ensemble_errors": "Error and number of members",
    "decomposition": "Principal components",
    "truncated_svd": "Singular values and random projections",
    "embeddings": "Scaling, Isomap and embeddings of graphs",
    "tsne": "Maps of neighbours",
    "cluster": "k-means",
    "minibatch": "k-means by mini-batches",
    "medoids": "k-medoids",
    "linkage": "Agglomerative clustering",
    "spectral": "Spectral clustering",
    "mixtures": "Gaussian mixtures",
    "svm": "Support vector machines",
    "linear_svm": "Linear support vector machines",
    "kernel_ridge": "Kernel ridge regression and kernel components",
    "nmf": "Non-negative factors",
    "soft_impute": "Completion of matrices",
    "gram_matrices": "Gram matrices",
    "kernel_approximation": "Features of kernels",
    "networks": "Queries of Bayesian networks",
    "network_structure": "Search for the graph of a network",
    "network_tests": "Trees of columns, networks from tests of independence",
    "network_classifiers": "Classification by networks, and their files",
    "layers": "Networks of layers",
    "selection_scores": "Scores of single columns",
    "selection_information": "Selection by information",
    "selection_wrappers": "Selection by wrappers",
    "selection_embedded": "Selection by paths and copies",
    "small": "Small tables",
    "files": "Files",
    "dask": "Dask",
    "persistence": "Persistence",
    "cold": "The first fit on a machine",
    "coverage": "Coverage of intervals",
    "type_one": "Errors of tests",
}

ABOUT = {
    "preprocessing": "Fits of scalers and imputers. For the most frequent value the table holds counts, else real numbers.",
    "text": """Documents made into sparse tables of their terms, learned and counted at once. The words are random and as
frequent as those of languages; short documents have 12 on average, long ones 400.""",
    "linear": """Fits of linear models, and paths. RidgeCV has 20 penalties; over folds, scikit-learn refits for each of them.
α_max is the smallest α that makes all coefficients of the lasso zero. For logistic regression the case names the solver of
scikit-learn. The perceptron and stochastic gradients make five epochs; on sparse rows scikit-learn moves the intercept a
hundred times more slowly, which helps it in so few, while here sparse and dense rows give the same fit.""",
    "bayes": """Fits of naive Bayes, and posteriors of the same rows by a model that was fitted before. scikit-learn-intelex
has none of these.""",
    "discriminants": """Fits of discriminant analysis and nearest centroids, posteriors of the same rows by a model that was
fitted before, and penalties chosen by folds. The case names the solver of scikit-learn; *grid* is its grid search, which refits
for every candidate and fold: its nearest centroid with the distances of the paper, or, *grid of ours*, aprendiz's own learner
in processes of its own, since it has none. scikit-learn-intelex has none of these.""",
    "neighbors": """Indexes that are built, and the five nearest points of many queries. scikit-learn and intelex search by the
method that is their fastest on these rows; faiss works in single precision.""",
    "tree": """Fits of unpruned trees by all values or by bins, and predictions by a tree that was grown before. Words are one
column each for aprendiz, one for each level for scikit-learn, its encoder included. Quality is the score on rows held out, the
mean over five samples (one for 1 000 000 rows). A single tree uses one thread, but for the coding of the columns and for
predictions. scikit-learn-intelex has no single tree.""",
    "ensemble": """Fits of forests, bags and boosted stumps, predictions by a forest that was grown before, and how much its
columns matter, by permutation (scikit-learn: one permutation of each column).""",
    "boosting": """Fits of 100 trees of 31 leaves on histograms, and predictions by them. All libraries get the same sizes, and
two threads. Equal: the score on 20 000 rows that were not learned from is within a hundredth of the best.""",
    "ensemble_errors": """The mean error in percent, on rows that were not learned from, of a single unpruned tree and of
ensembles with M members that vote by majority: over splits of public tables (a third is tested), and over fresh samples of
300 rows (2 000 are tested). Below each table, whether what the texts say of these methods holds there.""",
    "decomposition": "Fits of principal components.",
    "truncated_svd": """The first singular values of sparse rows of words and of dense rows, by power iterations (randomized)
and to the end (arpack), and random projections: the matrix (fit) and the images of the rows (transform).""",
    "embeddings": """Scaling from the same points with both libraries, Isomap, and embeddings made of eigenvectors. Quality is
the stress, or how far the points are from scikit-learn's, up to the signs of columns.""",
    "tsne": """Maps by t-SNE, with the defaults of each library and two threads. Quality is KL(P‖Q) of the map, from all pairs,
by one function for everybody; within 1 % maps count as equally good.""",
    "cluster": """Fits of k-means, from the same rows where all must do the same passes, or from a start of each one's own.
faiss works in single precision, with all rows and as many passes as ours.""",
    "minibatch": "Fits of k-means by mini-batches.",
    "medoids": "k-medoids of a matrix of distances.",
    "linkage": """The whole tree of merges of agglomerative clustering, from rows of numbers. fastcluster works from a table of
distances (`linkage`) or, *by vectors*, without one (`linkage_vector`).""",
    "spectral": "Spectral clustering: the graph, the eigenvectors, and k-means of them.",
    "mixtures": "Gaussian mixtures from the same start.",
    "svm": """Support vector machines with a Gaussian kernel, γ = "scale", at the usual tolerance of 10⁻³ of all three
libraries. Quality is the dual objective; of ten classes, the values of the pairs of classes for some rows.""",
    "linear_svm": """Fits of linear support vector machines, on few columns and on words. Quality is the objective, to 10⁻⁶:
where liblinear is behind, it stopped at its limit of 1 000 epochs, or where its tolerance does not ask for more.""",
    "kernel_ridge": """Fits of kernel ridge regression, 20 penalties (scikit-learn: a loop of fits), and ten kernel components,
beside both solvers of scikit-learn. scikit-learn-intelex has neither. The limit is to read the Gram matrix once.""",
    "nmf": """The time to the error at which scikit-learn's coordinate descent ends, at its default tolerance and at a tight one
(10⁻⁶), from the same kind of start, start included. Whole fits of iris at the default tolerance of each library end at
different errors, ours lower. scikit-learn-intelex has none of these.""",
    "soft_impute": """Completion with the nuclear norm, beside the loop of its definition: fill the unknown cells, take the
singular values of the dense table, shrink them (NumPy and LAPACK, one turn). Quality is the objective.""",
    "gram_matrices": "The Gram matrix of all pairs of rows. The limit is to read as many bytes as it has.",
    "kernel_approximation": """Features of the Gaussian kernel: the draw (fit) and the features of all rows (transform), mean of
three seeds. Quality is the mean squared error of the kernel that the features give.""",
    "networks": """Posteriors of all nodes of a network that was made before: the first answer, with the work on the graph, and
twenty more with other evidence (three leaves). pgmpy answers node by node by variable elimination, a single time; pyAgrum by
LazyPropagation. EM makes the same number of passes over the same rows.""",
    "network_structure": """Hill climbing by BIC from no edges, on rows of alarm (37 columns) and hailfinder (56). pyAgrum
(greedy hill climbing, its learner made from words) and pgmpy (called once) stop at the first maximum; ours goes on for thirty
moves, and with patience=0 stops, too. Quality is −BIC.""",
    "network_tests": """Rows of alarm as whole numbers. The tree of naive Bayes is the one of the class BP. A tree is as good as
its mutual information, the network of PC as the pairs that it joins wrongly or does not join. pgmpy is called once.""",
    "network_classifiers": """Fits on codes of alarm with the same pseudo-counts, posteriors by a model that was fitted before
(other trees have other posteriors: their quality is the share of errors of the fit), cuts that look at the classes beside
scikit-learn's bins, which do not, and reading a file. pgmpy is called once, and so is pyAgrum's classifier.""",
    "layers": """The same epochs of the same batches with Adam, each from first weights and an order of its own: the losses are
means over three seeds. PyTorch is a loop over batches with its fused optimizer, in the precision of the table.""",
    "selection_scores": """Scores of single columns, and the selectors that keep the best, each library with its own functions.
Wide tables are those of genes; frames hand out tables that are stored column by column. Quality is the scores.""",
    "selection_information": """Mutual information by nearest neighbours, with scikit-learn's noise; and greedy filters without
their first cut, on codes, against a loop over the columns in NumPy (one call). Quality is the estimates, or the order of the
columns.""",
    "selection_wrappers": """Columns added or left out one at a time, judged on folds: forward selection, and elimination with
the number of columns chosen by folds. scikit-learn fits its own learner for every set and fold (a single call), ours is
updated from sums of the other folds. Quality is the columns that were chosen, or the scores of all sizes. scikit-learn's
logistic regression stops before the minimum: with *exact fits* it is given `solver="newton-cholesky", tol=1e-12`, without
them the best scores are compared.""",
    "selection_embedded": """How often columns enter early on halves of the rows, against scikit-learn's least angles on the
same halves; and the distances of knockoffs from their columns, against the same ascent in NumPy.""",
    "small": "The same learners on 150 rows, where calling and checking take the time.",
    "files": """aprendiz alone, a table of 30 columns in a Parquet file, each fit in a fresh process; the peak is that of the
whole process, libraries included.""",
    "dask": """One sum over a persisted Dask array (weight, sum and square of each column), {partitions} partitions of
{rows} × {columns}, against the same sum over the array in memory, in turn. The overhead is the difference over the number of
partitions. The best of several passes counts; the first one on the cluster, in which every process imports aprendiz,
has a line of its own. The peak is that of the process that needs most, client or worker, above what was resident before.""",
    "persistence": """A model with {size:.0f} MB of arrays saved and loaded, against np.save with fsync and np.load of the same
array in the same folder. What is loaded is in the cache of the operating system, for both. The best of several turns counts.
Peaks are above what was resident before; loading includes the model itself.""",
    "cold": """The first fit of every learner on a machine: a fresh process with no kernel compiled yet, iris, default settings.
Processor seconds of the import, of the fit, of the first answer for the same rows, and how many kernels Numba compiled for
both. Later processes find the kernels on disk. A newcomer should not wait longer than {longest:g} s for a fit. The import of
scikit-learn alone, which every learner needs, takes {sklearn:.2f} s.""",
    "coverage": """How often intervals of 95 % hold the true score, on tables drawn from distributions in which it is known.
Counts, no times: [how sure are we?](methods/how_sure_are_we.md#how-often-intervals-hold-the-truth)""",
    "type_one": """How often tests at the level 5 % find a difference where there is none, and where there is one. Counts, no
times: [how sure are we?](methods/how_sure_are_we.md#how-often-tests-are-wrong)""",
}

WIRES = """What {processes} processes sent during a pass, as they noted it themselves; of several passes the most. The whole
table has {whole:.0f} MB, the record of a partition {record} bytes, those of all partitions {records:.0f} kB. Graphs, messages
of the scheduler and whatever else used the loopback device are in the last column only.
"""

HEAD = """# Benchmarks

aprendiz beside scikit-learn and scikit-learn-intelex, and where they have the same method also celer, skglm, faiss, SciPy,
kmedoids and fastcluster.

This page is written by `make bench` from what the runs have stored in [benchmarks/results](../benchmarks/results). A single
family is measured, stored and shown here by its name, `python -m benchmarks tree`; `python -m benchmarks page` only writes.
"""

METHOD = """## How it was measured

- All contenders run in one process, in turn, on the same arrays; the best of several turns counts. Before each turn there
  is a pause of {pause:g} s, in which the threads of the previous one come to rest. A call below {short:.0f} ms is repeated
  within its turn, and the best repetition counts. A first call of each is not counted; it is in a table of its own.
- What is timed is the fit, or the prediction where the case says so; the model is then fitted before, and that is not timed.
- A time marked *once* is that of a single call, the first one, since it takes so long; its memory is that of another one.
- Everybody has {threads} threads and the default settings of its library, but for those that state the problem (the number of
  components, of clusters, the penalties, the folds, the start, the seed), and for tolerances, limits of iterations and solvers
  where the defaults do not lead all to the same quality. A library that does not have the learner has no number: —.
- *Quality* is computed from the fitted model or from its predictions, the same way for everybody: how far an objective is
  above the smallest one reached, how far an answer is from scikit-learn's, both relative, how far a score is below the best
  one, or how far an objective is above the highest lower bound of its minimum that the answers prove. Random starts and orders
  are compared on the mean over seeds, with three standard errors of room.
- *Ratios* are the time of the peer over ours: above 1, aprendiz is faster. Read them before the times. How much longer the
  median turn took than the best one is said for each run [below](#runs-and-machines): differences of that size mean nothing.
- A case is marked † if other programs took more than {noisy:.0%} of the processor during its turns. Its times, ratios and
  growth are then not to be quoted: a busy machine does not slow all contenders alike. First calls have no such mark; they are
  single runs.
- *Memory* is the peak above what was resident once the data were made, in a fresh process for each call. The *first call* is
  timed there: the estimator is imported and the kernels are in the cache on disk; one run each.
- *Growth* is p in time ~ nᵖ, from the times with n and 2n rows; of one pass, for k-means and mixtures.
- *Share of the limit*: n·d·(d + 1) operations of the symmetric product, n·(n + 1)·d if there are fewer rows than columns,
  at the GEMM rate of the machine on {threads} threads, or the bytes of the table at the rate of reading memory, over the
  time that aprendiz took.
- Families are measured at different times: each has its date, and numbers of one table from several runs have a date each.
"""
