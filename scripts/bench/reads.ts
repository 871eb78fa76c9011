import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import autocannon from "autocannon";

import { startChild } from "./child.ts";
import type { Row } from "./table.ts";
import { visit } from "./visit.ts";

/** One answer that the bare server gives. */
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
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} bad answers`);
  return result.requests.total / result.duration;
}

/** GET without any decoding, so that the bytes are those of the wire. */
async function bytesOf(address: string, path: string, headers: Record<string, string>): Promise<BareRoute> {
  return new Promise((resolve, reject) => {
    get(address + path, { headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () => {
        const { "content-type": type = "", "content-encoding": encoding = null } = answer.headers;
        resolve({ path, type, encoding, body: Buffer.concat(parts).toString("base64") });
      });
    }).on("error", reject);
  });
}

/** Both sides in turn, and the best round of each: what else runs on the machine only takes away. */
async function compare(ours: string, bare: string, headers: Record<string, string>) {
  let [rate, most] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    most = Math.max(most, await load(bare, headers));
    rate = Math.max(rate, await load(ours, headers));
  }
  return { ratio: rate / most, rate };
}

/**
 * The share of a bare Fastify route's speed that our reads reach, warm, as a guest with a session, both sending the same
 * bytes: as a browser asks (brotli) and without compression.
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
    const bare = await startChild("bare-child.ts", { BARE_ROUTES: join(folder, "routes.json") });
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
