import { readInBatches, type SqlTx } from "@marketday/db";

import { AmountComparison } from "../../lib/amount-changes.ts";
import type { Amounts } from "./kind.ts";

/** Keeps the amounts that the market has before the rows of `incoming` are written. */
export async function keepAmounts(tx: SqlTx, { sql }: Amounts): Promise<void> {
  await tx.client.query(`create temp table amount_before on commit drop as ${sql}`);
  await tx.client.query("analyze amount_before");
}

interface ChangedRow {
  is_new: boolean;
  subject: string;
  field: string;
  before: number | null;
  after: number | null;
  reference: number | null;
}

/** The amounts that differ from the kept ones, in the order of the file. Of new subjects only the large ones. */
export async function compareAmounts(tx: SqlTx, { sql, fields }: Amounts): Promise<AmountComparison> {
  const comparison = new AmountComparison();
  const unitOf = new Map(fields.map(({ name, unit }) => [name, unit]));
  const values = fields.map(({ name, reference }, place) => {
    return `(${place}, '${name}', b.${name}, a.${name}, ${reference ?? `b.${name}`})`;
  });
  const changed = `select b.line is null as is_new, a.subject, v.field, v.before, v.after, v.reference
    from (${sql}) a left join amount_before b on b.line = a.line
    cross join lateral (values ${values.join(", ")}) as v (place, field, before, after, reference)
    where v.before is distinct from v.after order by a.line, v.place`;
  for await (const rows of readInBatches<ChangedRow>(tx, changed))
    for (const { is_new: isNew, reference, subject, field, before, after } of rows)
      comparison.add({ subject, field, unit: unitOf.get(field)!, before, after }, { reference, isNew });
  return comparison;
}
