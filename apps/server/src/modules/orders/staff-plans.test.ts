import { execute, sql, sqlTransaction } from "@marketday/db";
import { addMs, Day } from "@marketday/domain/time";
import { beforeAll, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createCustomer, createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { staffOf } from "../../../test/staff.ts";
import { searchCustomers } from "../account/customer-search-sql.ts";
import { asStaffId } from "../identity/context.ts";
import { findOrderIds } from "../order-list/list-sql.ts";
import { findActions } from "../staff-actions/store.ts";
import { findOrderBox } from "./order-box-sql.ts";

/** Actions of the last 90 days, bookings that name their order in the note alone, and shoppers. */
const PAST = 20_000;
const market = await buildTestApp();
const { db, deps } = market;
const hub = await createHub(db);

beforeAll(async () => {
  const { person } = await staffOf(market, "owner");
  const deliveryId = hub.deliveries[0]!.id;
  const ago = sql`${new Date(MONDAY)}::timestamptz - (1 + 89.0 * n / ${PAST}::int) * interval '1 day'`;
  await execute(
    db,
    sql`insert into staff_action (staff_id, kind, hub_id, delivery_id, subject, input, summary, state, created_at, ended_at)
        select ${person.id}::int, 'mark_paid', ${hub.id}::int, ${deliveryId}::int, 'delivery:' || n, '{}', '{}', 'done', ${ago}, ${ago}
        from generate_series(1, ${PAST}::int) n`,
  );
  await execute(
    db,
    sql`insert into ledger_transaction (kind, note, created_at) select 'write_off', 'order ' || n || ' written off', ${ago}
        from generate_series(1, ${PAST}::int) n`,
  );
  await execute(
    db,
    sql`insert into customer (hub_id, first_name, last_name, email, phone, created_at)
        select ${hub.id}::int, 'Ann ' || md5(n::text), 'Oak', md5(n::text) || '@example.com', '317555' || n, ${ago} from generate_series(1, ${PAST}::int) n`,
  );
  await execute(db, sql`vacuum analyze`);
}, 60_000);

type Plan = {
  "Node Type"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Relation Name"?: string;
  Plans?: Plan[];
};
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** What the first statement of `work` that reads a table does with it, when its values are not known. */
async function accessTo(table: string, work: () => Promise<unknown>): Promise<Plan[]> {
  const text = (await market.statements(work)).find((statement) => statement.includes(table));
  // The simple protocol: no value is bound to the statement's parameters.
  const { rows } = await sqlTransaction(db, (tx) => tx.client.query(`explain (generic_plan, format json) ${text}`));
  return nodesOf((rows as [{ "QUERY PLAN": [{ Plan: Plan }] }])[0]["QUERY PLAN"][0].Plan);
}
const READS_LATE_ONES = expect.stringContaining("created_at >=");

test.each([
  ["all markets", "all" as const],
  ["one market", [hub.id]],
])("actions: those of the last day in %s are found by their time, without reading older ones", async (_where, hubs) => {
  const since = addMs(deps.clock.now(), -1 * Day.ms);
  const access = await accessTo("staff_action", () =>
    findActions(db, { hubs, staffId: asStaffId(1), hubless: ["moderate"], since, limit: 100 }),
  );
  expect(access.filter((node) => node["Relation Name"] === "staff_action")).toMatchObject([
    { "Index Name": expect.stringContaining("created_at"), "Index Cond": READS_LATE_ONES },
  ]);
});

test("order box: bookings that name their order alone are looked up from the order on", async () => {
  const { id: customerId } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const { id } = await createOrder(db, { customerId, hub, product: await createProduct(db, hub.id, { inventory: 1 }) });
  const access = await accessTo("ledger_transaction", () => findOrderBox(db, id));
  expect(access.filter((node) => node["Index Name"] === "ledger_transaction_named")).toMatchObject([
    { "Index Cond": READS_LATE_ONES },
  ]);
});

const ROSA = "rosalind";
const ordersOf = (word: string) => () =>
  findOrderIds(db, { words: [word], tokens: [], hubs: { scope: "all", hub: null }, people: "all" }, "placed", 10);
const peopleOf = (word: string) => () => searchCustomers(db, word, 10);
test.each([
  ["people by a name or an email", peopleOf(ROSA)],
  ["people by a phone number", peopleOf("317 555 0142")],
  ["orders by a name or an email", ordersOf(ROSA)],
  ["orders by a phone number", ordersOf("317-555-0142")],
])("search: %s are found by one index of the parts of their texts", async (_what, work) => {
  const access = await accessTo("customer", work);
  const parts = access
    .filter((node) => node["Node Type"] === "Bitmap Index Scan")
    .map((node) => node["Index Name"]!)
    .filter((name) => name.startsWith("customer_"));
  expect(new Set(parts)).toEqual(new Set(["customer_search"]));
  expect(access.filter((node) => node["Node Type"] === "Seq Scan" && node["Relation Name"] === "customer")).toEqual([]);
});
