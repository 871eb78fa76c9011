# syntax=docker/dockerfile:1
# The digest is the multi-platform index of that tag. To renew both:
#   docker buildx imagetools inspect node:24.21.0-bookworm-slim --format "{{.Manifest.Digest}}"
FROM node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553 AS node

# Manifests only: dependencies are installed again when one of these changes, not when a source file does.
FROM node AS manifests
WORKDIR /app
RUN npm install --global pnpm@10.34.8
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.cjs ./
COPY apps/admin/package.json apps/admin/
COPY apps/server/package.json apps/server/
COPY apps/web/package.json apps/web/
COPY packages/client/package.json packages/client/
COPY packages/contracts/package.json packages/contracts/
COPY packages/domain/package.json packages/domain/
COPY packages/ui/package.json packages/ui/
COPY prisma/package.json prisma/
COPY scripts/package.json scripts/

# The web app, the admin app and Prisma's client, with the tools it takes to build them.
FROM manifests AS build
RUN pnpm install --frozen-lockfile --ignore-scripts
COPY . .
RUN node scripts/build.ts

# What the server and the market command import at run time. Prisma's query compilers for other databases are 65 MB.
FROM manifests AS dependencies
RUN pnpm install --frozen-lockfile --ignore-scripts --prod --filter "@marketday/scripts..." \
  && find node_modules/.pnpm -path "*/@prisma/client/runtime/*" -type f \( -name "*.cockroachdb.*" -o -name "*.mysql.*" \
  -o -name "*.sqlite.*" -o -name "*.sqlserver.*" -o -name "query_compiler_fast*" -o -name "*.map" \) -delete

FROM node
LABEL org.opencontainers.image.title="Marketday"
# No package manager: nothing is installed in a running container.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* \
  /usr/local/bin/yarn /usr/local/bin/yarnpkg && mkdir /data /market /var/cache/marketday && chown node:node /data /market /var/cache/marketday
COPY --from=dependencies /app /app
COPY NOTICE .env.example /app/
COPY packages /app/packages
COPY apps/server /app/apps/server
COPY prisma /app/prisma
COPY scripts /app/scripts
COPY deploy/container /usr/local/bin
COPY --from=build /app/prisma/generated /app/prisma/generated
COPY --from=build /app/apps/web/dist /app/apps/web/dist
COPY --from=build /app/apps/admin/dist /app/apps/admin/dist
USER node
# Compiled by the user who starts the market, because Node keeps the code of each user apart: every start is a warm one.
ENV NODE_COMPILE_CACHE=/var/cache/marketday
RUN ["node", "-e", "Promise.all(['scripts/lib/start-market.ts', 'apps/server/src/main.ts'].map((file) => import(`/app/${file}`))).then(() => process.exit())"]
# NODE_ENV is left to .env: "production" also demands the secrets and the address (docs/security.md).
# One arena: memory that an upload's thread frees is reused to decode photos in another one. With two, glibc keeps it for each.
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=1
VOLUME /data
# Files of the `market` command, in and out (docs/deploying.md).
WORKDIR /market
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Young objects in 16 MiB halves, as `pnpm start` has it: a quarter less memory under load, and as many requests.
CMD ["node", "--max-semi-space-size=16", "/app/scripts/start.ts"]
