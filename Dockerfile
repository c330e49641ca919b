# tieout serve over what is in /reports, as a user without rights: see docs/installing.md.
FROM python:3.13-slim AS build
COPY . /source
RUN pip install --no-cache-dir --no-compile --prefix=/installed "/source[serve,pdf,xlsx]"

FROM python:3.13-slim
COPY --from=build /installed /usr/local
RUN useradd --system --uid 10001 --no-create-home tieout && mkdir /reports
USER 10001
ENV HOME=/tmp PYTHONDONTWRITEBYTECODE=1
WORKDIR /tmp
EXPOSE 8737
HEALTHCHECK CMD ["python", "-c", "import socket; socket.create_connection(('127.0.0.1', 8737), 5).close()"]
ENTRYPOINT ["tieout"]
CMD ["serve", "/reports", "--host", "0.0.0.0", "--name", "localhost", "--name", "127.0.0.1"]
