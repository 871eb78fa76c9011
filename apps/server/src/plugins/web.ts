import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import { projectRoot } from "../env.ts";
import { serveBuiltAssets } from "../lib/built-assets.ts";
import { pageRoutes } from "../modules/pages/routes.ts";
import { loadShell } from "../modules/pages/shell.ts";

/** The service worker is served from the root, because its scope is the directory of its URL. */
function readWorker(dist: string): string | null {
  const file = join(dist, "service-worker.js");
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** Serves the built web app: immutable hashed files and server-rendered pages. Without a build only the API is served. */
export default fp<{ deps: Deps; dist?: string | undefined }>(
  async (app: FastifyInstance, { deps, dist = join(projectRoot, "apps/web/dist") }) => {
    const shell = loadShell(dist);
    if (!shell) {
      deps.log.warn("the web app is not built; only the API is served");
      return;
    }
    const assets = join(dist, "assets");
    if (existsSync(assets))
      await serveBuiltAssets(app, deps, { assets, retained: join(deps.env.dataDir, "assets"), prefix: "/assets/" });
    const worker = readWorker(dist);
    if (worker !== null)
      app.get("/service-worker.js", { config: { session: "none" }, schema: { hide: true } }, async (_request, reply) =>
        reply.header("cache-control", "no-cache").type("text/javascript; charset=utf-8").send(worker),
      );
    pageRoutes(app, deps, shell);
  },
  { name: "web" },
);
