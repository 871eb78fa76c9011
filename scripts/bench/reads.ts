import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import autocannon from "autocannon";

import { startChild } from "./child.ts";
import type { Row } from "./table.ts";
import { visit } from "./visit.ts";

/** A response of the bare server. */
export interface BareRoute {
  path: string;
  type: string;
  encoding: string | null;
  /** base64 */
  body: string;
}

const rounds = 8;
const seconds = 1;
const connections = 20;

/** Requests per second. */
async function load(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: seconds });
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} bad responses`);
  return result.requests.total / result.duration;
}

/** GET without decoding, so that the bytes are those on the wire. */
async function bytesOf(address: string, path: string, headers: Record<string, string>): Promise<BareRoute> {
  return new Promise((resolve, reject) => {
    get(address + path, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const { "content-type": type = "", "content-encoding": encoding = null } = response.headers;
        resolve({ path, type, encoding, body: Buffer.concat(parts).toString("base64") });
      });
    }).on("error", reject);
  });
}

/** Alternating rounds, the best of each, because other processes only make a round slower. */
async function compare(server: string, bare: string, headers: Record<string, string>) {
  let [rate, bareRate] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    bareRate = Math.max(bareRate, await load(bare, headers));
    rate = Math.max(rate, await load(server, headers));
  }
  return { ratio: rate / bareRate, rate };
}

/**
 * The speed of reads relative to a bare Fastify route that sends the same bytes: warm, as a guest with a session, with
 * brotli as for a browser and without compression.
 */
export async function benchReads(address: string): Promise<Row[]> {
  const { cookie, feed, product, collection } = await visit(address);
  const paths = { feed, product, "collection page": collection };
  const rows: Row[] = [];
  for (const accept of ["br", "identity"]) {
    const headers = { cookie, "accept-encoding": accept };
    const routes = await Promise.all(Object.values(paths).map((path) => bytesOf(address, path, headers)));
    const folder = mkdtempSync(join(tmpdir(), "marketday-bare-"));
    writeFileSync(join(folder, "routes.json"), JSON.stringify(routes));
    const bare = await startChild("child-main.ts", { BARE_ROUTES: join(folder, "routes.json") });
    try {
      for (const [name, path] of Object.entries(paths)) {
        const { ratio, rate } = await compare(address + path, bare.address + path, headers);
        const bytes = Buffer.from(routes.find((route) => route.path === path)?.body ?? "", "base64").length;
        rows.push({
          what: `GET ${name}, ${accept === "br" ? "brotli" : "plain"}, ${bytes} bytes`,
          value: `${ratio.toFixed(2)} of a bare Fastify route (${Math.round(rate)} requests/s)`,
          wanted: "≥ 0.50",
          good: ratio >= 0.5,
        });
      }
    } finally {
      await bare.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return rows;
}
