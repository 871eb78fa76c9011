import autocannon from "autocannon";

import type { ChildServer } from "./child.ts";
import type { Row } from "./table.ts";
import { visit } from "./visit.ts";

const seconds = 15;
const most = 350;

/** What one server process holds at the most while 50 shoppers read and look at their carts. */
export async function benchMemory(server: ChildServer): Promise<Row[]> {
  const { cookie, feed, product, collection } = await visit(server.address);
  let highest = await server.memory();
  const watching = setInterval(() => {
    void server.memory().then((now) => (highest = Math.max(highest, now)));
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
  clearInterval(watching);
  const mebibytes = Math.round(Math.max(highest, await server.memory()) / 2 ** 20);
  const bad = errors + non2xx;
  return [
    {
      what: `memory of a server under load, ${requests.total} requests${bad > 0 ? `, ${bad} of them bad` : ""}`,
      value: `${mebibytes} MiB`,
      wanted: `≤ ${most} MiB`,
      good: mebibytes <= most && bad === 0,
    },
  ];
}
