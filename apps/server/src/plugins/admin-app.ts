import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import { projectRoot } from "../env.ts";
import { serveBuiltAssets } from "../lib/built-assets.ts";
import { sha256 } from "../lib/tokens.ts";

/** Where `pnpm build` puts the admin app. */
export const ADMIN_DIST = join(projectRoot, "apps/admin/dist");

/**
 * Serves the built admin app at `/admin` (docs/failures.md G6). Its page is the same for everyone: the app requests who is signed in,
 * and shows the sign-in. Without a build the admin API is served without it.
 */
export default fp<{ deps: Deps; dist: string | null }>(
  async (app: FastifyInstance, { deps, dist }) => {
    if (dist === null) return;
    const file = join(dist, "index.html");
    if (!existsSync(file)) {
      deps.log.warn("the admin app is not built; only its API is served");
      return;
    }
    const page = readFileSync(file, "utf8");
    app.liveEvents.build = sha256(page).slice(0, 12);
    const assets = join(dist, "assets");
    if (existsSync(assets))
      await serveBuiltAssets(app, deps, {
        assets,
        retained: join(deps.env.dataDir, "admin-assets"),
        prefix: "/admin/assets/",
      });
    const sendPage = async (_request: FastifyRequest, reply: FastifyReply) =>
      reply
        .header("cache-control", "no-store")
        .header("x-robots-tag", "noindex")
        .type("text/html; charset=utf-8")
        .send(page);
    for (const url of ["/admin", "/admin/*"])
      app.get(url, { config: { session: "none" }, schema: { hide: true } }, sendPage);
  },
  { name: "admin-app", dependencies: ["live-events"] },
);
