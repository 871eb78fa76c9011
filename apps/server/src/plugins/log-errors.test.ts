import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { createCustomer, createHub } from "../../test/factories.ts";

const run = promisify(execFile);
const market = await buildTestApp();
const hub = await createHub(market.db);
const person = await createCustomer(market.db, { hubId: hub.id, pepper: market.deps.env.pepper });

/** Causes real errors of Postgres, Prisma and Stripe and logs them with the server's logger. */
const SCRIPT = `
  import { createDb, execute, sql } from "@marketday/db";
  import Stripe from "stripe";
  import { createLogger } from "./src/lib/logger.ts";
  const log = createLogger("info", false);
  const { url, email } = JSON.parse(process.argv[1]);
  const db = createDb({ url, applicationName: "log-errors test" });
  const attempt = async (name, work) => {
    try { await work(); } catch (err) {
      log.error({ err }, name);
      log.child({ reqId: "r" }).warn({ err: new Error("wrapped: " + err.message, { cause: err }) }, name + " as cause");
      log.error(err);
      log.error({ error: err }, name + " as error");
    }
  };
  await attempt("not null", () => execute(db, sql\`update customer set first_name = null where email = \${email}\`));
  await attempt("unique", () => execute(db, sql\`insert into customer (email, first_name, created_at) values (\${email}, 'Canary', now())\`));
  await attempt("syntax", () => execute(db, sql\`select \${email}::uuid\`));
  await attempt("prisma", () => db.customer.create({ data: { email, first_name: "Canary-Name", created_at: new Date() } }));
  await attempt("prisma call", () => db.customer.findMany({ where: { email, nonsense: "Canary-Name" } }));
  await attempt("stripe", () => { throw new Stripe.errors.StripeCardError({
    type: "card_error", code: "card_declined", decline_code: "insufficient_funds", message: "Your card was declined.", statusCode: 402,
    headers: { "request-id": "req_1" }, requestId: "req_1", payment_intent: { id: "pi_1", client_secret: "pi_1_secret_Canary", shipping: { name: "Canary-Name" } },
    payment_method: { billing_details: { email } },
  }); });
  await attempt("text", () => { throw new Error("for " + email + ": pi_3Nabc_secret_Canary9 sk_test_Canary $argon2id$v=19$m=19456,t=2,p=1$Canary$Canary9 postgres://app:Canary@db/x"); });
  await db.close();
`;

test(
  "logged errors of Postgres, Prisma and Stripe contain no row, parameter or client secret",
  { tags: ["fail:V11"] },
  async () => {
    const { stdout } = await run(
      process.execPath,
      ["--input-type=module", "-e", SCRIPT, JSON.stringify({ url: market.url, email: person.email })],
      { cwd: new URL("../../", import.meta.url), maxBuffer: 1 << 24 },
    );
    const lines = stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(7 * 4);
    const { password_hash } = await market.db.customer.findUniqueOrThrow({ where: { id: person.id } });
    for (const secret of [person.email!, person.email!.split("@")[0]!, password_hash!, "Canary", "argon2id$v"])
      expect(lines.filter((line) => JSON.stringify(line).includes(secret))).toEqual([]);
    expect(stdout).not.toMatch(/"(detail|where|query|parameters|raw|payment_intent|payment_method|headers|hint)":/);
    // The fields that an operator needs are logged.
    const of = (msg: string) => lines.find((line) => line.msg === msg)?.err;
    expect(of("not null")).toMatchObject({
      code: "23502",
      table: "customer",
      column: "first_name",
      message: expect.stringContaining("null value in column"),
      stack: expect.stringContaining("\n    at "),
    });
    expect(of("not null as cause")).toMatchObject({ cause: { code: "23502" } });
    expect(of("stripe")).toMatchObject({
      type: "StripeCardError",
      code: "card_declined",
      decline_code: "insufficient_funds",
      statusCode: 402,
      message: "Your card was declined.",
    });
    expect(of("prisma")).toMatchObject({ type: expect.stringMatching(/^PrismaClient/), message: expect.any(String) });
  },
);
