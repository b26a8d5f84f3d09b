# A worker of durable-reflection: docker build -t durable-reflection .
FROM node:22.21.1-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No package needs its install script.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY testing/build ./testing/build
COPY bin ./bin
COPY src ./src
# Includes the workflow bundles, so that a worker starts without bundling and needs no writable disk.
RUN npm run build \
  && node scripts/image-packages.mjs \
  && npm prune --omit=dev --ignore-scripts \
  && node scripts/image-files.mjs

FROM node:22.21.1-bookworm-slim
# Temporal's core reads the system's certificates, which the slim image lacks.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
# By default specs may neither run code nor make external calls: docs/security.md.
ENV NODE_ENV=production \
  REFLECT_LOG=info \
  REFLECT_HTTP_HOST=0.0.0.0 \
  REFLECT_HTTP_PORT=9464 \
  REFLECT_SANDBOX=off \
  REFLECT_EXTERNAL_CALLS=off
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
COPY bin ./bin
COPY templates/init ./templates/init
# The image's own unprivileged user. The files belong to root, so the worker cannot change them.
USER node
EXPOSE 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.REFLECT_HTTP_PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/reflect.js"]
CMD ["worker"]
