ARG PYTHON_IMAGE=python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
FROM ${PYTHON_IMAGE}

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_ROOT_USER_ACTION=ignore

WORKDIR /app
RUN useradd --system --uid 10001 --user-group --no-create-home evenboard

COPY requirements.txt ./
COPY docker/steps docker/steps
RUN docker/steps install

COPY manage.py ./
COPY evenboard_engine evenboard_engine
COPY base base
COPY ratings ratings
COPY tournaments tournaments
COPY pairing pairing
COPY web web
COPY api api
COPY registrations registrations
COPY manual manual
COPY config config
COPY server server
COPY templates templates
COPY static static
COPY locale locale
RUN python -m compileall -q api base config registrations evenboard_engine manual pairing ratings server tournaments web && docker/steps static \
    && mkdir -p var/backups var/keys var/rating-lists-in && chown -R evenboard:evenboard var

USER evenboard
ENV HOST=0.0.0.0 PORT=8000 PUSH_KEY_FILE=/app/var/keys/push-key
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["docker/steps", "start"]
