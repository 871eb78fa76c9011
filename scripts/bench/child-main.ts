import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { serveBench } from "./child.ts";
import type { BareRoute } from "./reads.ts";

/** A Fastify server that only sends stored bytes: the lower limit for the cost of the same response. */
async function serveBare(routes: readonly BareRoute[]): Promise<void> {
  // The Fastify of the server package, so that both sides run the same version.
  const { fastify } = createRequire(import.meta.resolve("@marketday/server/app"))(
    "fastify",
  ) as typeof import("fastify");
  const app = fastify();
  for (const { path, type, encoding, body } of routes) {
    const bytes = Buffer.from(body, "base64");
    app.get(path, async (_request, reply) => {
      void reply.header("content-type", type);
      if (encoding) void reply.header("content-encoding", encoding);
      return reply.send(bytes);
    });
  }
  serveBench(await app.listen({ host: "127.0.0.1", port: 0 }), () => app.close());
}

async function serveMarket(): Promise<void> {
  const { loadEnv } = await import("@marketday/server/env");
  const { startServer } = await import("@marketday/server/main");
  const env = loadEnv();
  const server = await startServer(env, { databaseUrl: env.databaseUrl! });
  serveBench(server.address, () => server.close());
}

/** Runs `market` and sends its peak memory at the end (maxRSS is in kibibytes). */
async function runMarket(): Promise<void> {
  await import("../market.ts");
  process.send?.({ memory: process.resourceUsage().maxRSS * 1024 }, () => process.disconnect());
}

const routes = process.env["BARE_ROUTES"];
if (process.argv.length > 2) await runMarket();
else await (routes ? serveBare(JSON.parse(readFileSync(routes, "utf8")) as BareRoute[]) : serveMarket());
