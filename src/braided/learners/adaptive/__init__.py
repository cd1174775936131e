"""Ada-FOBOS and Ada-RDA: adaptive steps on hinge loss, with weights that are exactly 0.

Duchi, Hazan and Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic
Optimization", JMLR 12, 2011, with the diagonal H and the penalty lambda |w|_1 (section 5.1).
In round t, for a row x with label y in {-1, +1}::

    g   = -y x  if 1 - y w.x > 0, else 0
    H_j = delta + sqrt(sum of g_j^2 until now)

    Ada-FOBOS   w_j = soft(w_j - eta_t g_j / H_j, eta_t lambda / H_j)
    Ada-RDA     w_j = eta soft(- sum of g_j, lambda t) / H_j

where soft(v, c) = sign(v) max(|v| - c, 0), and eta_t = eta or eta / sqrt(t).

The paper visits all d weights each round. Here a round costs O(nnz): what is owed is paid when a
weight is read.
"""

from braided.learners.adaptive.ada_fobos import AdaFOBOS
from braided.learners.adaptive.ada_rda import AdaRDA

__all__ = ["AdaFOBOS", "AdaRDA"]
