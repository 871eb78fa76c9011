import { countStatements } from "@marketday/db";
import { buildApp } from "@marketday/server/app";
import { createDeps } from "@marketday/server/create-deps";
import { parseEnv } from "@marketday/server/env";
import { createLogger } from "@marketday/server/lib/logger";

import type { BenchMarket } from "./market.ts";
import type { Row } from "./table.ts";

const choice = {
  type: "delivery",
  deliveryAddress: { address: "12 Main Street", city: "", state: "", zipCode: "" },
  tipPercentage: 10,
  // Whatever the weekday: a cutoff more than six days away needs a saved card.
  savePaymentMethod: true,
  card: { number: "4242424242424242", expMonth: 12, expYear: 2040, cvc: "123" },
};

/** The number of SQL statements per call, with the session lookup, without BEGIN and COMMIT. */
export async function benchStatements(market: BenchMarket): Promise<Row[]> {
  const env = parseEnv({ ...process.env, ...market.env });
  const deps = await createDeps(env, market.databaseUrl, createLogger("silent", false));
  const app = await buildApp(deps);
  const cookies = new Map<string, string>();
  const call = async (method: "GET" | "PUT" | "POST", path: string, body?: unknown) => {
    // Each call loads its session, as after a pause.
    app.dropSession(null);
    const counting = countStatements(deps.db);
    const response = await app.inject({
      method,
      url: `/api${path}`,
      headers: { "sec-fetch-site": "same-origin", cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
      ...(body !== undefined && { payload: body as object }),
    });
    const statements = counting.stop().length;
    for (const { name, value } of response.cookies) cookies.set(name, value);
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${response.body}`);
    return { body: response.json<never>(), statements };
  };
  try {
    const [shopper] = market.shoppers;
    await call("POST", "/auth/login", { username: shopper?.email, password: shopper?.password });
    const profile: { hubId: number } = (await call("GET", "/account/profile")).body;
    const hub: { city: string; state: string; zipCode: string } = (await call("GET", `/hubs/${profile.hubId}/details`))
      .body;
    const cards: { product: { id: number; variants: { id: number; inventory: number }[] } | null }[] = (
      await call("GET", "/feed")
    ).body;
    const lines = cards
      .flatMap(({ product }) => product ?? [])
      .flatMap(({ id, variants }) =>
        variants
          .filter(({ inventory }) => inventory > 3)
          .map((variant) => ({ productId: id, variantId: variant.id, quantity: 1 })),
      )
      .slice(0, 10);
    // Once before, so that what is cached for all shoppers is loaded.
    await call("PUT", "/cart", lines);
    const put = await call("PUT", "/cart", lines);
    const got = await call("GET", "/cart");
    const chosen = {
      ...choice,
      deliveryAddress: { ...choice.deliveryAddress, city: hub.city, state: hub.state, zipCode: hub.zipCode },
    };
    const quote: { orderTotal: number } = (await call("POST", "/checkout/quote", chosen)).body;
    const placed = await call("POST", "/checkout", { ...chosen, expectedTotal: quote.orderTotal });
    const row = (what: string, statements: number, most: number): Row => ({
      what,
      value: `${statements} statements`,
      wanted: `≤ ${most}`,
      good: statements <= most,
    });
    return [
      row(`GET /cart, ${lines.length} lines`, got.statements, 2),
      row(`PUT /cart, ${lines.length} lines`, put.statements, 2),
      row(`placing an order of ${lines.length} lines`, placed.statements, 40),
    ];
  } finally {
    await app.close();
    deps.clock.stop();
    await deps.db.close();
  }
}
