"""Every kind of input: what is observed, what is refused, and with which words."""
