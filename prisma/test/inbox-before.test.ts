import { expect, test } from "vitest";

import { createDatabaseBefore } from "./old-database.ts";

test("inbox of the version before: what waits for more than 7 days starts as done, newer items and what was answered do not", async () => {
  const { client, upgrade } = await createDatabaseBefore("inbox");
  // Customers, vendors and products are left out.
  await client.query("set session_replication_role = replica");
  await client.query(
    `insert into lead (id, kind, email, created_at)
     select row_number() over (), kind, 'ada@example.com', now() - days * interval '1 day'
     from unnest(array['contact', 'vendor', 'job', 'email']) kind, unnest(array[8, 6]) days order by kind, days desc`,
  );
  for (const [id, messages] of [
    [
      1,
      [
        ["C", 20],
        ["C", 8],
      ],
    ],
    [
      2,
      [
        ["C", 20],
        ["C", 6],
      ],
    ],
    [
      3,
      [
        ["C", 20],
        ["U", 8],
      ],
    ],
    [
      4,
      [
        ["U", 20],
        ["C", 8],
      ],
    ],
  ] as const) {
    await client.query("insert into thread (id, customer_id, vendor_id) values ($1, $1, 1)", [id]);
    for (const [sender, days] of messages)
      await client.query(
        "insert into message (thread_id, sender, message, created_at) values ($1, $2, 'Hello', now() - $3::int * interval '1 day')",
        [id, sender, days],
      );
  }
  for (const [id, answer, days] of [
    [1, null, 8],
    [2, null, 6],
    [3, "Yes.", 8],
  ] as const)
    await client.query(
      "insert into question (id, customer_id, product_id, question, answer, created_at) values ($1, 1, 1, 'Large?', $2, now() - $3::int * interval '1 day')",
      [id, answer, days],
    );
  await client.query("set session_replication_role = origin");
  await upgrade();
  const { rows } = await client.query(
    `select s.kind, coalesce(l.kind, s.item_id::text) as item,
       s.closed_at = coalesce(l.created_at, q.created_at, (select max(m.created_at) from message m where m.thread_id = s.item_id)) as is_closed
     from inbox_state s left join lead l on s.kind in ('contact', 'application') and l.id = s.item_id
     left join question q on s.kind = 'question' and q.id = s.item_id order by 1, 2`,
  );
  expect(rows).toEqual([
    { kind: "application", item: "job", is_closed: true },
    { kind: "application", item: "vendor", is_closed: true },
    { kind: "contact", item: "contact", is_closed: true },
    { kind: "message", item: "1", is_closed: true },
    { kind: "message", item: "4", is_closed: true },
    { kind: "question", item: "1", is_closed: true },
  ]);
});
