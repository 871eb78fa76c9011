import autocannon from "autocannon";

import type { ChildServer } from "./child.ts";
import type { Row } from "./table.ts";
import { visit } from "./visit.ts";

const seconds = 15;
const LIMIT_MIB = 350;

/** Peak memory of a server process while 50 shoppers read pages and their carts. */
export async function benchMemory(server: ChildServer): Promise<Row[]> {
  const { cookie, feed, product, collection } = await visit(server.address);
  let peak = await server.memory();
  const timer = setInterval(() => {
    void server.memory().then((now) => (peak = Math.max(peak, now)));
  }, 500);
  const { requests, errors, non2xx } = await autocannon({
    url: server.address,
    connections: 50,
    duration: seconds,
    headers: { cookie, "accept-encoding": "br" },
    requests: [
      feed,
      product,
      collection,
      "/api/cart",
      "/api/collections",
      "/api/hubs",
      "/api/account/profile",
      "/shop",
    ].map((path) => ({ method: "GET", path })),
  });
  clearInterval(timer);
  const mebibytes = Math.round(Math.max(peak, await server.memory()) / 2 ** 20);
  const failed = errors + non2xx;
  return [
    {
      what: `memory of a server under load, ${requests.total} requests${failed > 0 ? `, ${failed} of them failed` : ""}`,
      value: `${mebibytes} MiB`,
      wanted: `≤ ${LIMIT_MIB} MiB`,
      good: mebibytes <= LIMIT_MIB && failed === 0,
    },
  ];
}
