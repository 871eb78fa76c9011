import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { serveBench } from "./child.ts";
import type { BareRoute } from "./reads.ts";

/** A Fastify server that only sends stored bytes: the lower limit for the cost of the same response. */
const routes = JSON.parse(readFileSync(process.env["BARE_ROUTES"]!, "utf8")) as BareRoute[];
// The Fastify of the server package, so that both sides run the same version.
const { fastify } = createRequire(import.meta.resolve("@marketday/server/app"))("fastify") as typeof import("fastify");
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
