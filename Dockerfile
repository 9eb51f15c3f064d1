# The local service in a container. It listens on loopback only, so it shares the network of its host:
#
#   docker build -t lead-outreach .
#   docker run --rm --init --network host -v lead-outreach:/service/.local lead-outreach --now 2026-11-20T16:00:00Z
FROM node:24-slim
WORKDIR /service
COPY . .
RUN node bin/prepare.cjs start
ENTRYPOINT ["node", "bin/local.ts"]
