"""Kernels and support vector machines: data enter only through inner products."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    {"aprendiz.kernel.kernels": ["RBF", "Linear"]},
    kernel_pca=["KernelPCA"],
    kernel_ridge=["KernelRidge"],
    kernel_k_means=["KernelKMeans"],
    kernels=[],
    nystroem=["Nystroem"],
    rbf_sampler=["RBFSampler"],
)
