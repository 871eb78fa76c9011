import { join, type Sql, sql } from "@marketday/db";
import { dayRange, type OrderQuery, type OrderTokenName, owedCents } from "@marketday/domain/order-query";

import { escapeLike } from "../../lib/escape-like.ts";
import { boxBackColumns, boxMoneyColumns, boxMoneyState, boxStatusColumn } from "../orders/box-money-sql.ts";
import { stopsOf } from "../orders/box-place-sql.ts";
import { hasBoxNotes } from "../orders/box-state-sql.ts";
import { isMatchingItem, partsOf } from "../orders/matching-items-sql.ts";
import { type HubFilter, type HubScope, inScope, meets } from "../today/hub-filter-sql.ts";

/** Which boxes are listed. */
export interface OrderListFilter extends OrderQuery {
  /** Hubs whose orders the person may read, and the one that was requested. */
  hubs: HubFilter;
  /** Hubs whose people the person may read: only there a phone number, an email or an address is searched. */
  people: HubScope;
}

/** The address of an order, as the index `order_address_search` has it. */
export const addressText = (o: Sql): Sql =>
  sql`((${o}.address->>'address') || ' ' || (${o}.address->>'city') || ' ' || (${o}.address->>'zipCode'))`;
const nameText = sql`(c.first_name || ' ' || c.last_name)`;
const phoneText = sql`regexp_replace(c.phone, '[^0-9]', '', 'g')`;

/** The shortest text for which an index of trigrams is of use. */
const INDEXED_MIN = 3;
const ORDER_DIGITS = 9;

const any = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`false` : sql`(${join([...conditions], " or ")})`;
const all = (conditions: readonly Sql[]): Sql => (conditions.length === 0 ? sql`true` : join([...conditions], " and "));

const valuesOf = ({ tokens }: Pick<OrderQuery, "tokens">, name: OrderTokenName): string[] =>
  tokens.filter((token) => token.name === name).map(({ value }) => value);
const numbersOf = (query: OrderQuery, name: OrderTokenName): number[] => valuesOf(query, name).map(Number);

/** The tote of box `b`, from the newest version of the sheets that has it. */
export const toteOfBox = sql`(select x.tote from snapshot_box x join snapshot s on s.id = x.snapshot_id
    where x.order_id = b.id and s.is_complete order by s.version desc limit 1)`;
const hasTote = (totes: readonly number[]): Sql =>
  sql`(b.id in (select x.order_id from snapshot s join snapshot_box x on x.snapshot_id = s.id where s.is_complete and x.tote = any(${[...totes]}::int[]))
      and ${toteOfBox} = any(${[...totes]}::int[]))`;

/** Conditions of hub `h` and delivery `d`. */
function placeConditions(filter: OrderListFilter): Sql[] {
  const hubs = valuesOf(filter, "hub");
  const days = valuesOf(filter, "day").map((value) => {
    const { from, to } = dayRange(value);
    return all([
      ...(from === null ? [] : [sql`d.day >= ${from}::date`]),
      ...(to === null ? [] : [sql`d.day <= ${to}::date`]),
    ]);
  });
  return [
    ...(filter.hubs.scope === "all" && filter.hubs.hub === null ? [] : [meets(sql`h`, filter.hubs)]),
    ...(hubs.length > 0 ? [sql`h.slug = any(${hubs}::text[])`] : []),
    ...(days.length > 0 ? [any(days)] : []),
  ];
}

const isInPeople = (people: HubScope): Sql => inScope(sql`o.hub_id`, people);
const readsPeople = (people: HubScope): boolean => people === "all" || people.length > 0;

/** The digits of a word that may be a number: of a phone number without the country. */
function digitsOf(word: string): string {
  if (!/^\+?[\d().\-/ ]+$/.test(word)) return "";
  const digits = word.replaceAll(/\D/g, "");
  return digits.length === 11 && digits.startsWith("1") ? digits.slice(1) : digits;
}

/** Boxes whose order number, or that of an add-on, begins with these digits. */
function ofNumber(digits: string): Sql {
  const step = 10 ** (ORDER_DIGITS - digits.length);
  const from = Number(digits) * step;
  return sql`select coalesce(o.add_on_to_id, o.id) as id from orders o where o.id >= ${from}::int and o.id <= ${from + step - 1}::int`;
}

/** Boxes in which a word is found. */
function boxesOf(word: string, people: HubScope): Sql {
  const part = `%${escapeLike(word)}%`;
  const digits = digitsOf(word);
  const isLong = word.length >= INDEXED_MIN;
  const contacts = [
    ...(isLong ? [sql`c.email ilike ${part}`] : []),
    ...(digits.length >= INDEXED_MIN ? [sql`${phoneText} like ${`%${digits}%`}`] : []),
  ];
  const ofCustomer = (condition: Sql) =>
    sql`select ${boxOf} as id from orders o where o.customer_id = any(array(select c.id from customer c where ${condition}))`;
  const branches = [
    ofCustomer(sql`${nameText} ilike ${part}`),
    ...(contacts.length > 0 && readsPeople(people)
      ? [sql`${ofCustomer(any(contacts))} and ${isInPeople(people)}`]
      : []),
    ...(isLong && readsPeople(people)
      ? [
          sql`select o.id from orders o where ${addressText(sql`o`)} ilike ${part} and o.add_on_to_id is null and o.type = 'delivery' and ${isInPeople(people)}`,
        ]
      : []),
    sql`select o.id from orders o where o.pickup_point_id = any(array(select p.id from pickup_point p where p.name ilike ${part})) and o.add_on_to_id is null and o.type = 'pickup'`,
    ...(digits.length >= INDEXED_MIN && digits.length <= ORDER_DIGITS ? [ofNumber(digits)] : []),
    ...(digits !== "" && digits.length <= 5 ? [sql`select b.id from orders b where ${hasTote([Number(digits)])}`] : []),
  ];
  return join(branches, " union ");
}

/** Box `b` has a word that is too short for an index. */
function hasShortWord(word: string, people: HubScope): Sql {
  const part = `%${escapeLike(word)}%`;
  const digits = digitsOf(word);
  return any([
    sql`b.customer_id in (select c.id from customer c where ${nameText} ilike ${part})`,
    ...(readsPeople(people)
      ? [sql`(b.type = 'delivery' and ${inScope(sql`b.hub_id`, people)} and ${addressText(sql`b`)} ilike ${part})`]
      : []),
    ...(digits === "" ? [] : [hasTote([Number(digits)])]),
  ]);
}

/**
 * The words of a search: those that an index finds, and those that are only looked for in what the others found. A search for one or two
 * characters alone does not look at addresses.
 */
function splitWords(words: readonly string[]): { found: string[]; filtered: string[] } {
  const long = words.filter((word) => word.length >= INDEXED_MIN);
  if (long.length === 0) return { found: [...words], filtered: [] };
  return { found: long, filtered: words.filter((word) => word.length < INDEXED_MIN) };
}

const isOpenProblem = sql`p.status = 'open'`;
/** Box `b` has an order with an open report of a problem. */
export const hasProblem = sql`exists (select 1 from problem_report p join orders x on x.id = p.order_id where ${isOpenProblem} and coalesce(x.add_on_to_id, x.id) = b.id)`;
/** Box `b` is the first one of its customer: none was ordered before it that is not cancelled. */
export const isFirstBox = sql`(b.customer_id is not null and not exists (select 1 from orders x
    where x.customer_id = b.customer_id and x.status <> 'cancelled' and x.created_at < b.created_at and coalesce(x.add_on_to_id, x.id) <> b.id))`;
/** `hasBoxNotes` of box `b`. */
export const hasNotes = sql`exists (select 1 from orders o where o.id = b.id and ${hasBoxNotes})`;

const FLAGS: Readonly<Record<string, Sql>> = {
  // Orders with a note at all first: few boxes are then read with their add-ons.
  note: sql`((b.delivery_notes <> '' or b.id in (select x.add_on_to_id from orders x where x.add_on_to_id is not null)
      or b.id in (select n.order_id from order_note n where n.removed_at is null)) and ${hasNotes})`,
  problem: sql`b.id in (select coalesce(x.add_on_to_id, x.id) from problem_report p join orders x on x.id = p.order_id where ${isOpenProblem})`,
  auto: sql`b.source = 'auto'`,
  first: isFirstBox,
};

/** The states of an order that a box of one order has with each status. */
const STATUSES_OF: Readonly<Record<string, readonly string[]>> = {
  open: ["open", "future"],
  packing: ["pending"],
  delivered: ["closed"],
  cancelled: ["cancelled"],
};
/** Few boxes have add-ons: those alone are read with all their orders. */
const hasAddOns = sql`b.id in (select x.add_on_to_id from orders x where x.add_on_to_id is not null)`;
const hasStatus = (statuses: readonly string[]): Sql =>
  sql`case when ${hasAddOns} then (select ${boxStatusColumn} from orders o where o.id = b.id or o.add_on_to_id = b.id) = any(${statuses}::text[])
      else b.status = any(${statuses.flatMap((status) => STATUSES_OF[status] ?? [])}::text[]) end`;

/** The orders `o` that may have something to collect: few of all, found by indexes. */
export const mayBeCollected = sql`o.id in (select x.id from orders x where x.charge_failed_at is not null
      union all select x.id from payment p join orders x on x.payment_id = p.id where p.provider = 'offline' and p.state = 'authorized')`;
const orderIs = (condition: Sql): Sql =>
  sql`b.id in (select coalesce(o.add_on_to_id, o.id) from orders o where ${condition})`;
const hasRefund = sql`b.id in (select coalesce(o.add_on_to_id, o.id) from refund r join orders o on o.id = r.order_id)`;
/** A cheap, necessary condition of the box `b` for each state of its money; the others are of most boxes. */
const MAY_BE: Readonly<Record<string, Sql>> = {
  due: orderIs(mayBeCollected),
  declined: orderIs(sql`o.charge_failed_at is not null`),
  back: hasRefund,
  back_failed: hasRefund,
  written_off: orderIs(sql`o.written_off_at is not null`),
  held: orderIs(sql`o.payment_id in (select y.id from payment y where y.state = 'authorized')`),
};
/** A condition that one of several values needs; none where one of them has none. */
function mayBeOneOf(values: readonly string[]): Sql[] {
  const conditions = values.map((value) => MAY_BE[value]);
  return values.length === 0 || conditions.includes(undefined) ? [] : [any(conditions as Sql[])];
}

/** What a filter is made of in SQL. Each part is a list of CTEs (`name as (…)`), conditions, or null where it is not needed. */
export interface FilterParts {
  /** CTE of the boxes that the words are found in: `hit(id)`. */
  hits: Sql | null;
  /** Conditions of box `b` (its first order), its hub `h` and delivery `d`. */
  conditions: Sql[];
  /** CTE of boxes with items that match, and how many units: `match(id, units)`. */
  match: Sql | null;
  /** Conditions of what all orders of the box come to: `f`, a row of `factsOf`. */
  facts: { conditions: Sql[]; hasRefunds: boolean } | null;
  /** The conditions of hub `h` and delivery `d` alone. */
  place: Sql;
  /** There is no other condition. */
  isPlaceOnly: boolean;
  /** There is no condition of the place. */
  isEverywhere: boolean;
  /** There is a token or a word. */
  isSearched: boolean;
}

export function filterParts(filter: OrderListFilter): FilterParts {
  const of = (name: OrderTokenName) => valuesOf(filter, name);
  const [statuses, money, owes, products, vendors] = [
    of("status"),
    of("money"),
    of("owes"),
    of("product"),
    of("vendor"),
  ];
  const place = placeConditions(filter);
  const [points, customers, totes, drivers] = [
    of("point"),
    numbersOf(filter, "customer"),
    numbersOf(filter, "tote"),
    numbersOf(filter, "driver"),
  ];
  const { found, filtered } = splitWords(filter.words);
  const flags = of("has").map((value) => FLAGS[value]!);
  const ways = of("way").map((value) => (value === "door" ? "delivery" : "pickup"));
  const isWithCancelled = statuses.includes("cancelled");
  const isOfItems = products.length > 0 || vendors.length > 0;
  const conditions = [
    ...(ways.length > 0 ? [sql`b.type = any(${ways}::text[])`] : []),
    ...(points.length > 0
      ? [
          sql`b.type = 'pickup' and b.pickup_point_id = any(array(select p.id from pickup_point p where p.name ilike any(${partsOf(points)}::text[])))`,
        ]
      : []),
    ...(customers.length > 0 ? [sql`b.customer_id = any(${customers}::int[])`] : []),
    ...(totes.length > 0 ? [hasTote(totes)] : []),
    ...(drivers.length > 0
      ? [
          sql`b.id in (select t.order_id from delivery d join hub h on h.id = d.hub_id cross join lateral ${stopsOf(sql`d.id`)} t
              where ${all(place)} and t.driver = any(${drivers}::int[]))`,
        ]
      : []),
    ...(flags.length > 0 ? [any(flags)] : []),
    ...filtered.map((word) => hasShortWord(word, filter.people)),
    ...(statuses.length > 0 ? [hasStatus(statuses)] : []),
    ...mayBeOneOf(money),
    ...(owes.length > 0 ? [MAY_BE["due"]!] : []),
  ];
  const facts = [
    ...(money.length > 0 ? [sql`f.money = any(${money}::text[])`] : []),
    ...(owes.length > 0 ? [any(owes.map((value) => sql`f.collect_cents > ${owedCents(value)}::int`))] : []),
  ];
  return {
    hits:
      found.length === 0
        ? null
        : sql`hit as materialized (${join(
            found.map((word) => sql`(${boxesOf(word, filter.people)})`),
            " intersect ",
          )})`,
    match: isOfItems
      ? sql`match as materialized (
          select coalesce(o.add_on_to_id, o.id) as id, sum(i.quantity)::int as units
          from order_item i join orders o on o.id = i.order_id join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id
          where ${isMatchingItem({ products: products.length > 0 ? products : null, vendors: vendors.length > 0 ? vendors : null })}
            and ${all(place)} and ${
              isWithCancelled
                ? sql`(o.status <> 'cancelled' or not exists (select 1 from orders z where coalesce(z.add_on_to_id, z.id) = coalesce(o.add_on_to_id, o.id) and z.status <> 'cancelled'))`
                : sql`o.status <> 'cancelled'`
            } group by 1)`
      : null,
    conditions: [sql`b.add_on_to_id is null`, ...place, ...conditions],
    facts:
      facts.length === 0
        ? null
        : {
            conditions: facts,
            // What comes before a refund in the order of states is known without them.
            hasRefunds: money.some((state) => state !== "due" && state !== "declined"),
          },
    place: all(place),
    isPlaceOnly: found.length === 0 && !isOfItems && conditions.length === 0 && facts.length === 0,
    isEverywhere: place.length === 0,
    isSearched: filter.tokens.length > 0 || filter.words.length > 0,
  };
}

/** The box of order `o`, as the index `order_box` has it. */
export const boxOf = sql`coalesce(o.add_on_to_id, o.id)`;

/**
 * The boxes in a CTE `box(id, day, placed, customer_id, units)` with what their orders come to: `BoxMoneyRow` and its state.
 * `hasRefunds`: whether the state depends on what was given back.
 */
export const factsOf = (box: Sql, hasRefunds: boolean): Sql => {
  const own = sql`k.id, k.day, k.placed, k.customer_id, k.units`;
  const back = hasRefunds
    ? sql`coalesce(r.back_cents, 0) as back_cents, coalesce(r.back_failed_cents, 0) as back_failed_cents`
    : sql`0 as back_cents, 0 as back_failed_cents`;
  return sql`(
          select m.*, ${boxMoneyState} as money from (
            select m.*, ${back} from (
              select ${own}, ${boxMoneyColumns}
              from ${box} k join orders o on ${boxOf} = k.id join hub h on h.id = o.hub_id left join payment y on y.id = o.payment_id group by ${own}) m
            ${
              hasRefunds
                ? sql`left join (select coalesce(o.add_on_to_id, o.id) as id, ${boxBackColumns} from refund r join orders o on o.id = r.order_id group by 1) r on r.id = m.id`
                : sql``
            }) m)`;
};
