"""The docs site: ``python -m tools.site`` builds it into ``site/`` and checks every link."""
