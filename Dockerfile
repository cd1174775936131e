# A service: models in /models, learned while they are served.
#   docker build -t braided .
#   docker run -p 8000:8000 -v "$PWD/models:/models" -v "$PWD/tokens:/run/tokens:ro" braided
# tokens: a role (read, write or admin) and a token on each line.
FROM python:3.12-slim AS built
WORKDIR /source
COPY pyproject.toml README.md LICENSE CHANGELOG.md CITATION.cff ./
COPY src src
COPY tools tools
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
COPY --from=built /wheels /wheels
RUN pip install --no-cache-dir "$(echo /wheels/braided-*.whl)[live,io]" && rm -r /wheels
RUN useradd --create-home braided && mkdir /models && chown braided /models
USER braided
RUN braided compile
VOLUME /models
EXPOSE 8000
HEALTHCHECK CMD python -c "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/health')"
CMD ["braided", "serve", "/models", "--host", "0.0.0.0", "--port", "8000", "--tokens", "/run/tokens"]
