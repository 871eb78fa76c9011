import { mkdirSync } from "node:fs";

import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

import type { Deps } from "../deps.ts";
import { retainAssets } from "./retain-assets.ts";

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

/**
 * Serves the hashed files of a built app below `prefix`: immutable, precompressed, and those of earlier builds too.
 * @param assets the build's folder of these files
 * @param retained the folder of the files of earlier builds; created when it is missing
 */
export async function serveBuiltAssets(
  app: FastifyInstance,
  deps: Deps,
  { assets, retained, prefix }: { assets: string; retained: string; prefix: string },
): Promise<void> {
  const root = retainWhenListening(app, deps, assets, retained) ? [assets, retained] : assets;
  await app.register(async (files) => {
    // Files are the same for everyone: an ended session must not block a page's code.
    files.addHook("onRoute", (route) => {
      route.config = { ...route.config, session: "none" };
    });
    await files.register(fastifyStatic, {
      root,
      prefix,
      immutable: true,
      maxAge: "365d",
      preCompressed: true,
      decorateReply: false,
      index: false,
    });
  });
}
