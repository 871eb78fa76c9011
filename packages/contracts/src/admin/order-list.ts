import { z } from "zod";

import { CalendarDate, Instant, Money, PageQuery, line } from "../common.ts";
import { adminEndpoint } from "./endpoint.ts";
import { BoxMoney } from "./orders.ts";

/** Columns that a list of orders is sorted by; "-" before one: downwards. Equal ones by day, the latest first, then as they were placed. */
export const ORDER_SORTS = ["day", "tote", "placed", "name", "total", "lines", "due"] as const;
const sort = z.enum([...ORDER_SORTS, ...ORDER_SORTS.map((column) => `-${column}` as const)]);

/** A box in the list of all orders: an order with its add-ons. */
const ListedOrder = z.object({
  /** Of its first order. */
  orderId: z.number().int(),
  hub: z.object({ id: z.number().int(), slug: z.string(), name: z.string(), timeZone: z.string() }),
  day: CalendarDate,
  /** Null: on no version of the sheets. */
  tote: z.number().int().nullable(),
  customerId: z.number().int().nullable(),
  /** Empty when the account was deleted. */
  name: z.string(),
  status: z.enum(["open", "packing", "delivered", "cancelled"]),
  lines: z.number().int(),
  units: z.number().int(),
  /** Units of what the filter's `product` or `vendor` names; null without one. */
  matchingUnits: z.number().int().nullable(),
  /** To a door, with its city and, for those who read people, its ZIP; to a pickup point, with its name. */
  place: z.string(),
  isPickup: z.boolean(),
  driver: z.number().int().nullable(),
  stop: z.number().int().nullable(),
  total: Money,
  money: BoxMoney,
  placedAt: Instant,
  /** note: of the shopper, or of the staff. auto: placed by auto-checkout. first: the customer's first box. problem: an open report. */
  flags: z.array(z.enum(["note", "auto", "first", "problem"])),
});
export type ListedOrder = z.infer<typeof ListedOrder>;

export const OrderList = z
  .object({
    orders: z.array(ListedOrder),
    /**
     * Of all that match, on all pages; cancelled boxes count as orders only. `due`: to collect at the door. `lines`: null of more than
     * 5,000 boxes, which are also more than an action takes.
     */
    sums: z.object({
      orders: z.number().int(),
      lines: z.number().int().nullable(),
      total: Money,
      due: Money,
      matchingUnits: z.number().int().nullable(),
    }),
    /** How many there are without the filter, in the markets that the person may see. */
    all: z.number().int(),
  })
  .meta({ id: "OrderList" });
export type OrderList = z.infer<typeof OrderList>;

/** A filter as it is typed and written in the address (`order-query` of the domain): `day:2026-11-26 vendor:cluck-co eggs`. */
const OrderQuery = z.object({
  q: z.string().max(500).default(""),
  /** Slug of a market; without it all that the person may see. */
  hub: z.string().max(200).optional(),
});

/**
 * Orders that match a filter, a page of at most 200 (50 without `perPage`), with sums of all that match. Header `x-total-results` as in
 * every list; a page beyond the end is empty. 404 for a `hub` whose orders the person may not read; `hub:` of one matches nothing.
 * 400 `bad_filter` with the field `q`, and the parts that are wrong as `problems` (`part`, `name`, `message`).
 */
export const listOrders = adminEndpoint({
  method: "GET",
  url: "/orders",
  access: { permission: "orders.read", where: "any" },
  schema: {
    querystring: z.object({ ...OrderQuery.shape, ...PageQuery.shape, sort: sort.default("-day") }),
    response: { 200: OrderList },
  },
});

/**
 * Numbers of the boxes that match a filter, in its order, for an action on all of them: at most 5,000. 422 `too_many` above, with how
 * many there are as `total`.
 */
export const listOrderIds = adminEndpoint({
  method: "GET",
  url: "/orders/ids",
  access: { permission: "orders.read", where: "any" },
  schema: {
    querystring: z.object({ ...OrderQuery.shape, sort: sort.default("-day") }),
    response: { 200: z.object({ ids: z.array(z.number().int()) }) },
  },
});

/**
 * The boxes that match a filter as CSV for spreadsheets, all of them, in the order of the list. Phone and email are columns for those
 * who read people, and empty in markets where they do not. Each export is in the audit log.
 */
export const exportOrders = adminEndpoint({
  method: "GET",
  url: "/orders.csv",
  access: { permission: "orders.read", where: "any" },
  schema: {
    querystring: z.object({ ...OrderQuery.shape, sort: sort.default("-day") }),
    response: { 200: z.unknown() },
  },
});

/**
 * Values for a token that is being typed: `token` "vendor", `text` "clu" → Cluck & Co. At most 8, best first. For hub, day, vendor,
 * product, point and customer; the values of the others are in `ORDER_TOKEN_VALUES` of the domain, and none here.
 */
export const suggestOrderTokens = adminEndpoint({
  method: "GET",
  url: "/orders/suggestions",
  access: { permission: "orders.read", where: "any" },
  schema: {
    querystring: z.object({ token: z.string().max(20), text: z.string().max(100).default("") }),
    response: { 200: z.array(z.object({ value: z.string(), title: z.string(), detail: z.string() })) },
  },
});

/** A named filter with its order and columns, of the market (`isShared`) or of one person. */
export const SavedView = z
  .object({
    id: z.number().int(),
    /** orders | products */
    screen: z.enum(["orders", "products"]),
    name: z.string(),
    query: z.string(),
    sort: z.string(),
    columns: z.array(z.string()),
    isShared: z.boolean(),
    /** This person may change it. */
    canChange: z.boolean(),
    version: z.number().int(),
  })
  .meta({ id: "SavedView" });
export type SavedView = z.infer<typeof SavedView>;

const ViewBody = z.object({
  name: line(60, "Give the view a name"),
  query: line(500),
  sort: line(30),
  columns: z.array(line(30)).max(30),
  /** For everyone of the staff: needs `settings.write` or `catalogue.write` in all markets. */
  isShared: z.boolean(),
});

/** The market's views, then one's own, by name. */
export const listViews = adminEndpoint({
  method: "GET",
  url: "/views/:screen",
  access: { permission: "orders.read", where: "any" },
  schema: { params: z.object({ screen: SavedView.shape.screen }), response: { 200: z.array(SavedView) } },
});

/** Saves a view. 409 `name_taken` when there is one of this name among those that the person sees. */
export const createView = adminEndpoint({
  method: "POST",
  url: "/views/:screen",
  access: { permission: "orders.read", where: "any" },
  schema: { params: z.object({ screen: SavedView.shape.screen }), body: ViewBody, response: { 201: SavedView } },
});

/** Changes a view. 409 `conflict` with the view as `current`. */
export const putView = adminEndpoint({
  method: "PUT",
  url: "/views/:screen/:id",
  access: { permission: "orders.read", where: "any" },
  schema: {
    params: z.object({ screen: SavedView.shape.screen, id: z.coerce.number().int().positive() }),
    body: ViewBody.extend({ expectedVersion: z.number().int() }),
    response: { 200: SavedView },
  },
});

/** Deletes a view; one that is gone is no error. */
export const deleteView = adminEndpoint({
  method: "DELETE",
  url: "/views/:screen/:id",
  access: { permission: "orders.read", where: "any" },
  schema: {
    params: z.object({ screen: SavedView.shape.screen, id: z.coerce.number().int().positive() }),
    response: { 204: z.void() },
  },
});
