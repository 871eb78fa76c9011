import { DISCOUNT_CODE_MAX } from "@marketday/domain/limits";
import { spreadsheetSentence } from "@marketday/domain/spreadsheet-text";
import { cleanCode } from "@marketday/domain/text";

import { type Cell, instant, money, percentOff, reference, text, whole, yesNo } from "../cell.ts";
import {
  always,
  type Check,
  exportedInstant,
  field,
  type ImportType,
  notBefore,
  onlyOnce,
  slugThere,
  storedBy,
  upsert,
} from "../kind.ts";

const code: Cell = {
  type: "text",
  right: `a code of at most ${DISCOUNT_CODE_MAX} letters, digits and dashes, such as HARVEST10`,
  read: (given) => {
    const clean = cleanCode(given);
    return /^[A-Za-z0-9-]+$/.test(clean) && clean.length <= DISCOUNT_CODE_MAX ? clean.toUpperCase() : undefined;
  },
  // Five digits are a code, and so is a month in capitals: MAY-25.
  doubt: (given) => (/^[A-Z]{3}-\d+$|^\d+-[A-Z]{3}$/.test(given) ? null : spreadsheetSentence(given, false)),
  isName: true,
  isText: true,
};

const exported = `select d.code, d.reason, trim_scale(d.percent_ppm / 10000.0)::text as percent, to_char(d.amount_cents / 100.0, 'FM9999990.00') as amount,
      to_char(d.minimum_cents / 100.0, 'FM9999990.00') as minimum, ${exportedInstant("d.starts_at")} as starts_at, ${exportedInstant("d.ends_at")} as ends_at, d.use_limit::text,
      case when d.once_per_customer then 'yes' else 'no' end as once_per_customer, h.slug as hub
    from discount_code d left join hub h on h.id = d.hub_id order by d.id`;

/** A percentage takes the place of an amount, and the other way round. */
const insteadOf = (given: string, other: string): string =>
  `update incoming set cleared = cleared || '${other}'::text where ${given} is not null and ${other} is null and not '${other}' = any(bad)`;

const moreThanZero = (column: "percent" | "amount"): Check => ({
  sql: `select line, '${column}' as column, '0' as value, 'more than 0' as "right" from incoming where ${column} = 0`,
});

/** Discount codes. The number of uses is not part of the file. */
export const discounts: ImportType = {
  noun: "discounts",
  group: "code",
  key: ["code"],
  columns: [
    { name: "code", cell: code, required: true },
    { name: "reason", cell: text(200) },
    { name: "percent", cell: percentOff },
    { name: "amount", cell: money, about: "dollars off, in place of percent" },
    { name: "minimum", cell: money, about: "what the order must come to" },
    { name: "starts_at", cell: instant },
    { name: "ends_at", cell: instant },
    { name: "use_limit", cell: whole(1, 1_000_000) },
    { name: "once_per_customer", cell: yesNo },
    { name: "hub", cell: reference },
  ],
  prepare: [insteadOf("percent", "amount"), insteadOf("amount", "percent")],
  names: [
    {
      noun: "a code",
      column: "code",
      market: "select '' as scope, d.code as key, d.code as name from discount_code d",
      incoming: "select s.line, '' as scope, s.code as key, s.code as name from incoming s where s.code is not null",
    },
  ],
  checks: [
    onlyOnce(["code"]),
    notBefore,
    {
      sql: `select line, 'percent' as column, trim_scale(percent / 10000.0)::text as value, 'a percentage, or empty with an amount in dollars in the column amount' as "right"
        from incoming where (percent is null) = (amount is null) and not bad && array['percent', 'amount']`,
    },
    moreThanZero("percent"),
    moreThanZero("amount"),
    slugThere("hub"),
    {
      sql: `select s.line, 'use_limit' as column, s.use_limit::text as value, format('at least %s: the code was already used that often', d.uses) as "right"
     from incoming s join discount_code d on d.code = s.code where s.use_limit < d.uses`,
    },
  ],
  write: async (tx, { has }) => ({
    discounts: await upsert(tx, has, {
      into: "discount_code",
      source: "incoming",
      key: ["code"],
      fields: [
        always("code"),
        field("reason", "reason", "''"),
        always("percent", "percent_ppm"),
        always("amount", "amount_cents"),
        field("minimum", "minimum_cents", "0"),
        field("starts_at"),
        field("ends_at"),
        field("use_limit"),
        field("once_per_customer", "once_per_customer", "true"),
        { from: "hub", to: "hub_id", value: "(select h.id from hub h where h.slug = s.hub)" },
      ],
    }),
  }),
  amounts: {
    fields: [
      { name: "percent", unit: "ppm" },
      { name: "amount", unit: "cents" },
      { name: "minimum", unit: "cents" },
    ],
    sql: `select s.line, s.code as subject, d.percent_ppm as percent, d.amount_cents as amount, d.minimum_cents as minimum
      from incoming s join discount_code d on d.code = s.code`,
  },
  exported,
  stored: storedBy("code", exported),
};
