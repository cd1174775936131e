"""Compiled code: how functions are compiled, the table of kernels, the loops over rows."""
