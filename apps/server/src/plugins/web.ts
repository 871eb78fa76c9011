import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import { projectRoot } from "../env.ts";
import { retainAssets } from "../lib/retain-assets.ts";
import { pageRoutes } from "../modules/pages/routes.ts";
import { loadShell } from "../modules/pages/shell.ts";

/** The service worker is served from the root, because its scope is the directory of its URL. */
function readWorker(dist: string): string | null {
  const file = join(dist, "service-worker.js");
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/**
 * Copies the files of this build to those of earlier builds once the server listens, so that a slow disk does not delay its start.
 * Until then a balancer sends it no request: its pages name files that the servers of the build before do not have yet. Closing
 * waits for the copy. Returns whether `retained` is there to be served.
 */
function retainWhenListening(app: FastifyInstance, { log, clock }: Deps, assets: string, retained: string): boolean {
  // Without retained files an open tab reloads when a file is missing, so a full disk is no error.
  const warn = (error: unknown) =>
    log.warn({ err: error }, "the assets of this build could not be copied to the data folder");
  try {
    mkdirSync(retained, { recursive: true });
  } catch (error) {
    warn(error);
    return false;
  }
  let copy = Promise.resolve();
  const copied = Promise.withResolvers<void>();
  app.readyAfter(copied.promise);
  app.addHook("onListen", (done) => {
    copy = retainAssets(assets, retained, clock.now()).catch(warn).finally(copied.resolve);
    done();
  });
  app.addHook("onClose", () => copy);
  return true;
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
    const retained = join(deps.env.dataDir, "assets");
    if (existsSync(assets)) {
      const root = retainWhenListening(app, deps, assets, retained) ? [assets, retained] : assets;
      await app.register(async (files) => {
        // Files are the same for everyone: an ended session must not block a page's code.
        files.addHook("onRoute", (route) => {
          route.config = { ...route.config, session: "none" };
        });
        await files.register(fastifyStatic, {
          root,
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
