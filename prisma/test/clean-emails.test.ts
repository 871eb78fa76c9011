import { expect, test } from "vitest";

import { createDatabaseBefore } from "./old-database.ts";

test("emails of the version before: stored ones are cleaned as typed ones are, unless another account has the clean one", async () => {
  const { client, upgrade } = await createDatabaseBefore("clean_emails");
  const emails = [
    ["ada@example.com\u200B", "ada@example.com"],
    ["\u202Amary\u2011ann@example.com\u202C", "mary-ann@example.com"],
    ["zoe\u0301@example.com", "zoé@example.com"],
    ["ｂｏｂ＠example.com\uFEFF", "bob@example.com"],
    ["eve٤۶@exam\u00ADple.com\uFE0F", "eve46@example.com"],
    ["o'neil+farm@example.com", "o'neil+farm@example.com"],
    ["élodie@exämple.de", "élodie@exämple.de"],
    // Its clean form is taken, ...
    ["tom@example.com", "tom@example.com"],
    ["tom@example.com\u200B", "tom@example.com\u200B"],
    // ... or two would have it.
    ["kim@example.com\u200B", "kim@example.com\u200B"],
    ["kim@example.com\u200E", "kim@example.com\u200E"],
  ] as const;
  for (const [at, [before]] of emails.entries())
    await client.query("insert into customer (id, email) values ($1, $2)", [at + 1, before]);
  await client.query("insert into customer (id, email, deleted_at) values (99, null, now())");
  for (const [before] of [emails[0], emails[8]])
    await client.query(
      "insert into mail (key, template, to_email, data, created_at) values ($1, 'welcome', $1, '{}', now())",
      [before],
    );
  await client.query("insert into lead (kind, email, created_at) values ('email', $1, now())", [emails[0][0]]);
  await upgrade();
  const { rows } = await client.query("select email from customer where id < 99 order by id");
  expect(rows.map(({ email }) => email)).toEqual(emails.map(([, after]) => after));
  const mails = await client.query("select to_email from mail order by id");
  expect(mails.rows).toEqual([{ to_email: "ada@example.com" }, { to_email: "tom@example.com\u200B" }]);
  expect((await client.query("select email from lead")).rows).toEqual([{ email: "ada@example.com" }]);
});
