# Where this was written, no registry of images could be reached: the files of the last stage were made by scripts/image-root.ts and run with buildah; the first stage was not.
ARG BASE=docker.io/library/node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts && node scripts/image-root.ts /image

# Nothing but Node, the C and C++ libraries, and the installed package: no shell, no package manager.
FROM scratch
COPY --from=build /image/ /
USER 65532:65532
WORKDIR /var/lib/motorpool
# Containers are reached from outside: a network policy or the published ports say by whom.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 METRICS_HOST=0.0.0.0 DATA_DIR=/var/lib/motorpool
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["/usr/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT ?? process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/node", "/app/node_modules/motorpool/bin/motorpool.js"]
CMD ["serve"]
