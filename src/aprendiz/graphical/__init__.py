"""Bayesian networks: a joint distribution as a graph, and what can be asked of it."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    bayesian_network=["BayesianNetwork"],
    bayesian_network_classifier=["BayesianNetworkClassifier"],
    cpdag=["cpdag"],
    structural_hamming_distance=["structural_hamming_distance"],
    hill_climbing=["HillClimbing"],
    network_score=["network_score", "NetworkScore"],
    read_bif=["read_bif"],
    read_net=["read_net"],
    read_xmlbif=["read_xmlbif"],
    write_bif=["write_bif"],
    write_dot=["write_dot"],
    independence_test=["independence_test", "IndependenceTest"],
    chow_liu_tree=["ChowLiuTree"],
    edge_confidence=["edge_confidence", "EdgeConfidence"],
    pc_stable=["PCStable"],
    tree_augmented_naive_bayes=["TreeAugmentedNaiveBayes"],
)
