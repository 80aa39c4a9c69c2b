"""Kernels and support vector machines: data enter only through inner products."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    {"aprendiz.kernel.kernels": ["RBF", "Linear"]},
    kernel_pca=["KernelPCA"],
    kernel_ridge=["KernelRidge"],
    kernel_ridge_cv=["KernelRidgeCV"],
    kernel_k_means=["KernelKMeans"],
    kernels=[],
    linear_svc=["LinearSVC"],
    linear_svr=["LinearSVR"],
    nystroem=["Nystroem"],
    nu_svc=["NuSVC"],
    nu_svr=["NuSVR"],
    one_class_svm=["OneClassSVM"],
    rbf_sampler=["RBFSampler"],
    svc=["SVC"],
    svr=["SVR"],
)
