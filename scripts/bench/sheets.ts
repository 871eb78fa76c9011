import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createDb, execute, type Db, sql, sqlTransaction } from "@marketday/db";
import type { Box } from "@marketday/domain/sheets";
import { zipTables } from "@marketday/server/gateways/geocoder/zip-tables";
import { freezeNextVersion } from "@marketday/server/modules/week/snapshot-sql";
import { benchDay } from "@marketday/server/testing/sheet-day";

import { root } from "../lib/run.ts";
import type { BenchMarket } from "./market.ts";
import type { Row } from "./table.ts";

const ORDERS = 1_000;
const VENDORS = 100;
const DRIVERS = 8;
const PAST = new Date("2025-11-26T06:00:00Z");
/** Ids above those of the demo. */
const BASE = 1_000_000;

/** Creates a separate hub with a day whose cutoff has passed, and the orders of that day. @returns the delivery's id */
async function fill(db: Db, boxes: readonly Box[]): Promise<number> {
  const hub = await db.hub.create({
    data: {
      slug: "bench",
      name: "Carmel",
      delivery_day: "Thursday",
      time_zone: "America/Indiana/Indianapolis",
      zip_code: "46032",
      city: "Carmel",
      state: "IN",
      lat: 39.97,
      lng: -86.13,
      pickup_points: {
        create: {
          name: "Depot",
          address: "1 Station Road",
          city: "Carmel",
          state: "IN",
          zip_code: "46032",
          hours: "4 to 7 PM",
        },
      },
      deliveries: {
        create: {
          day: new Date("2025-11-27T00:00:00Z"),
          cutoff_at: new Date("2025-11-26T06:00:00Z"),
          auto_checkout_at: new Date("2025-11-24T18:00:00Z"),
          // The running server has nothing to do for this day.
          runs: {
            create: ["cutoff", "close"].map((step) => ({ step, state: "done", lease_until: PAST, started_at: PAST })),
          },
        },
      },
    },
    include: { pickup_points: true, deliveries: true },
  });
  const delivery = hub.deliveries[0]?.id ?? 0;
  const lines = boxes.flatMap(({ orderId, lines: all }) => all.map((line) => ({ ...line, orderId })));
  await execute(
    db,
    sql`insert into vendor (id, slug, hash, name, city, state)
        select ${BASE}::int + v.id, 'bench-vendor-' || v.id, lpad(to_hex(v.id), 16, 'f'), max(v.name), 'Sheridan', 'IN'
        from jsonb_to_recordset(${JSON.stringify(lines.map((line) => ({ id: line.vendorId, name: line.vendor })))}::jsonb) as v(id int, name text) group by v.id`,
  );
  const wares = [...new Map(lines.map((line) => [line.variantId, line])).values()];
  await execute(
    db,
    sql`with ware as (select * from jsonb_to_recordset(${JSON.stringify(wares)}::jsonb)
            as w("variantId" int, "vendorId" int, product text, variant text, storage text)),
        made as (insert into product (id, slug, vendor_id, title, tags, storage)
          select ${BASE}::int + "variantId", 'bench-product-' || "variantId", ${BASE}::int + "vendorId", product, '{}', storage from ware returning id)
        insert into variant (id, product_id, title) select made.id, made.id, ware.variant from made join ware on ${BASE}::int + ware."variantId" = made.id`,
  );
  await execute(
    db,
    sql`with box as (select * from jsonb_to_recordset(${JSON.stringify(boxes)}::jsonb)
            as b(tote int, "orderId" int, name text, phone text, door jsonb, notes text)),
        person as (insert into customer (id, email, first_name, last_name, phone, created_at)
          select ${BASE}::int + tote, 'bench' || tote || '@example.com', split_part(name, ' ', 1),
            substr(name, strpos(name, ' ') + 1), phone, '2025-11-20' from box returning id)
        insert into orders (id, customer_id, hub_id, delivery_id, status, type, pickup_point_id, address, delivery_notes, items_cents, tip_cents, tax_cents,
          tax_rate_ppm, card_fee_cents, delivery_fee_cents, discount_cents, order_total_cents, created_at)
        select "orderId", person.id, ${hub.id}::int, ${delivery}::int, 'pending', case when door is null then 'pickup' else 'delivery' end,
          case when door is null then ${hub.pickup_points[0]?.id ?? 0}::int end, door, notes, 0, 0, 0, 0, 0, 0, 0, 0, timestamptz '2025-11-20' + tote * interval '1 minute'
        from box join person on person.id = ${BASE}::int + box.tote`,
  );
  await execute(
    db,
    sql`insert into order_item (order_id, variant_id, vendor_id, product_title, variant_title, quantity, quantity_ordered, list_price_cents, unit_price_cents, commission_ppm)
        select "orderId", ${BASE}::int + "variantId", ${BASE}::int + "vendorId", product, variant, quantity, quantity, 500, 500, 0
        from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
          as l("orderId" int, "variantId" int, "vendorId" int, product text, variant text, quantity int)`,
  );
  return delivery;
}

interface Printed {
  folder: string;
  files: { name: string; bytes: number }[];
  units: number;
}

/** Runs `market sheets` as an operator does. `memory` is its peak in bytes. */
async function print(env: Record<string, string>): Promise<{ printed: Printed; seconds: number; memory: number }> {
  const program = fileURLToPath(new URL("child-main.ts", import.meta.url));
  const args = [program, "sheets", "bench", "2025-11-27", "--drivers", String(DRIVERS), "--json"];
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let text = "";
  let memory = 0;
  child.stdout?.on("data", (part: Buffer) => (text += part.toString()));
  child.on("message", (message) => (memory = (message as { memory: number }).memory));
  const [code] = (await once(child, "close")) as [number];
  if (code !== 0) throw new Error(`market sheets ended with ${code}`);
  return { printed: JSON.parse(text) as Printed, seconds: (performance.now() - started) / 1000, memory };
}

const kilobytes = (bytes: number) => `${Math.round(bytes / 1000).toLocaleString("en-US")} kB`;

/** All sheets of a large day, from the database to the files: seconds, bytes, memory. */
export async function benchSheets({ env, databaseUrl }: BenchMarket): Promise<Row[]> {
  const tables = zipTables();
  const zips = Array.from({ length: 260 }, (_, n) => String(46_030 + n)).filter((zip) => tables.place(zip));
  const { boxes } = benchDay(ORDERS, VENDORS, zips);
  const db = createDb({ url: databaseUrl, statementTimeoutMs: 60_000 });
  try {
    const delivery = await fill(db, boxes);
    const started = performance.now();
    await sqlTransaction(db, (tx) => freezeNextVersion(tx, delivery, new Date()));
    const snapshotMs = performance.now() - started;
    const { printed, seconds, memory } = await print(env);
    const wanted = boxes.flatMap(({ lines }) => lines).reduce((all, { quantity }) => all + quantity, 0);
    const sizes = printed.files.map(({ name }) => statSync(join(printed.folder, name)).size);
    const total = sizes.reduce((all, size) => all + size, 0);
    rmSync(printed.folder, { recursive: true, force: true });
    const day = `${ORDERS.toLocaleString("en-US")} orders × ${VENDORS} vendors`;
    const plain = { wanted: "", good: true };
    // Above the statement timeout of Postgres the cutoff of such a day never ends.
    const limit = { wanted: "< 4 s", good: snapshotMs < 4000 };
    return [
      { what: `snapshot of ${day}`, value: `${(snapshotMs / 1000).toFixed(2)} s`, ...limit },
      { what: `all sheets of ${day}, ${DRIVERS} drivers`, value: `${seconds.toFixed(1)} s`, ...plain },
      ...printed.files.map(({ name, bytes }) => ({ what: `  ${name}`, value: kilobytes(bytes), ...plain })),
      { what: `  ${printed.files.length} files`, value: kilobytes(total), ...plain },
      { what: "peak memory", value: `${Math.round(memory / 2 ** 20)} MiB`, ...plain },
      {
        what: "units on the sheets",
        value: String(printed.units),
        wanted: String(wanted),
        good: printed.units === wanted,
      },
    ];
  } finally {
    await db.close();
  }
}
