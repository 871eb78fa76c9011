import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";

import { createDb, poolOf } from "@marketday/db";

import { serveBench } from "../child.ts";

/**
 * The floor: a bare Fastify and pg server on the plainest tables, without validation, cache, prices of one's own, payment or mail. What
 * it does a second is the most that any server on this machine and database can do, written as one would write it first.
 */
const { fastify } = createRequire(import.meta.resolve("@marketday/server/app"))("fastify") as typeof import("fastify");
const pool = poolOf(createDb({ url: process.env["DATABASE_URL"]! }));
const app = fastify();

/** Runs a prepared statement. */
const rows = async (name: string, text: string, values: unknown[]) => (await pool.query({ name, text, values })).rows;
const sessionOf = (cookie: string | undefined) => cookie?.slice("session=".length) ?? "";

app.get<{ Params: { id: string; page: string } }>("/collections/:id/:page", async ({ params }) => {
  const [count] = await rows("count", "select count(*)::int as total from floor.product where collection_id = $1", [
    params.id,
  ]);
  const products = await rows(
    "list",
    "select id, title, description, vendor, picture, price_cents, stock from floor.product where collection_id = $1 order by id limit 18 offset $2",
    [params.id, (Number(params.page) - 1) * 18],
  );
  return { ...count, products };
});
app.get<{ Params: { id: string } }>("/products/:id", async ({ params }) => {
  const [product] = await rows(
    "product",
    "select id, title, description, vendor, picture, price_cents, stock from floor.product where id = $1",
    [params.id],
  );
  return product;
});
app.get<{ Params: { q: string } }>("/search/:q", async ({ params }) =>
  rows(
    "search",
    `select id, title, description, vendor, picture, price_cents, stock, count(*) over () as total from floor.product
     where words @@ websearch_to_tsquery('english', $1) order by ts_rank(words, websearch_to_tsquery('english', $1)) desc, id limit 18`,
    [params.q],
  ),
);
app.post("/session", async (_request, reply) => {
  const id = randomUUID();
  await rows("session", "insert into floor.session values ($1)", [id]);
  void reply.header("set-cookie", `session=${id}`);
  return { id };
});
app.get("/cart", async ({ headers }) =>
  rows(
    "cart",
    `select i.quantity, p.id, p.title, p.vendor, p.picture, p.price_cents, p.stock from floor.cart_item i
     join floor.product p on p.id = i.product_id where i.session_id = $1 order by p.id`,
    [sessionOf(headers.cookie)],
  ),
);
app.put<{ Body: { productId: number; quantity: number } }>("/cart", async ({ headers, body }) =>
  rows(
    "put",
    `insert into floor.cart_item values ($1, $2, $3) on conflict (session_id, product_id) do update set quantity = excluded.quantity
     returning product_id, quantity`,
    [sessionOf(headers.cookie), body.productId, body.quantity],
  ),
);
app.post("/orders", async ({ headers }, reply) => {
  const session = sessionOf(headers.cookie);
  const client = await pool.connect();
  const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values });
  try {
    await client.query("begin");
    const { rows: lines } = await run(
      "lines",
      `select i.product_id, i.quantity, p.price_cents, p.stock from floor.cart_item i join floor.product p on p.id = i.product_id
       where i.session_id = $1 order by i.product_id for update`,
      [session],
    );
    const total = lines.reduce(
      (sum: number, line: { quantity: number; price_cents: number }) => sum + line.quantity * line.price_cents,
      0,
    );
    await run(
      "stock",
      `update floor.product p set stock = p.stock - i.quantity from floor.cart_item i
       where i.session_id = $1 and p.id = i.product_id`,
      [session],
    );
    const { rows: orders } = await run(
      "order",
      "insert into floor.orders (session_id, total_cents) values ($1, $2) returning id",
      [session, total],
    );
    await run(
      "items",
      `insert into floor.order_item select $2, i.product_id, i.quantity, p.price_cents from floor.cart_item i
       join floor.product p on p.id = i.product_id where i.session_id = $1`,
      [session, orders[0].id],
    );
    await run("empty", "delete from floor.cart_item where session_id = $1", [session]);
    await client.query("commit");
    void reply.code(201);
    return { id: orders[0].id, total };
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
});

serveBench(await app.listen({ host: "127.0.0.1", port: 0 }), async () => {
  await app.close();
  await pool.end();
});
