"""The HTTP API: routes, tokens, limits."""
