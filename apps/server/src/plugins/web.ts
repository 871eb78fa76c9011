import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import { projectRoot } from "../env.ts";
import { keepAssets } from "../lib/kept-assets.ts";
import { pageRoutes } from "../modules/pages/routes.ts";
import { loadShell } from "../modules/pages/shell.ts";

/** The service worker stands at the root: it may only look after what lies below it. */
function readWorker(dist: string): string | null {
  const file = join(dist, "service-worker.js");
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** Serves the built web app: hashed files for ever, pages painted by the server. Not built: the API works alone. */
export default fp<{ deps: Deps; dist?: string | undefined }>(
  async (app: FastifyInstance, { deps, dist = join(projectRoot, "apps/web/dist") }) => {
    const shell = loadShell(dist);
    if (!shell) {
      deps.log.warn("the web app is not built; only the API is served");
      return;
    }
    const assets = join(dist, "assets");
    const earlier = join(deps.env.dataDir, "assets");
    if (existsSync(assets)) {
      // Without them an open tab reloads when it misses something, so that a full disk stops nothing.
      await keepAssets(assets, earlier, deps.clock.now()).catch((error: unknown) =>
        deps.log.warn({ err: error }, "the assets of this build could not be kept for later"),
      );
      await app.register(async (files) => {
        // A file is the same for everybody: an ended session must not cost a page its code.
        files.addHook("onRoute", (route) => {
          route.config = { ...route.config, session: "none" };
        });
        await files.register(fastifyStatic, {
          root: existsSync(earlier) ? [assets, earlier] : assets,
          prefix: "/assets/",
          immutable: true,
          maxAge: "365d",
          preCompressed: true,
          decorateReply: false,
          index: false,
        });
      });
    }
    const worker = readWorker(dist);
    if (worker !== null)
      app.get("/service-worker.js", { config: { session: "none" }, schema: { hide: true } }, async (_request, reply) =>
        reply.header("cache-control", "no-cache").type("text/javascript; charset=utf-8").send(worker),
      );
    pageRoutes(app, deps, shell);
  },
  { name: "web" },
);
