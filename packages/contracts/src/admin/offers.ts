import { CELLS_MAX, OFFER_FIELDS } from "@marketday/domain/offer-fields";
import { z } from "zod";

import { BodyId, Instant, line, Money, Picture } from "../common.ts";
import { StaffAction } from "./actions.ts";
import { adminEndpoint } from "./endpoint.ts";

const GridOffer = z.object({
  id: z.number().int(),
  variantId: z.number().int(),
  hub: z.object({ id: z.number().int(), slug: z.string(), name: z.string() }),
  vendor: z.object({ id: z.number().int(), slug: z.string(), name: z.string() }),
  product: z.object({ id: z.number().int(), slug: z.string() }),
  /** Its first one. */
  picture: Picture.nullable(),
  variant: z.string(),
  /**
   * The cells as they are exported, which is also how they are saved: amounts in dollars ("6.50"), yes or no, tags with | between them.
   * Empty: there is none.
   */
  cells: z.record(z.enum(OFFER_FIELDS), z.string()),
  /** Units in orders of the delivery that takes orders now, canceled ones left out. */
  sold: z.number().int(),
  /** Shoppers who keep it in their cart although it is sold out. */
  watching: z.number().int(),
  /** This person may change the fields of this market, and those of every market. */
  canChange: z.boolean(),
  canChangeAll: z.boolean(),
});
export type GridOffer = z.infer<typeof GridOffer>;

const OfferFilter = z.object({
  q: z.string().max(500).default(""),
  /** Slug of a market; without it all whose orders the person may read. */
  hub: z.string().max(200).optional(),
});

export const OfferList = z
  .object({
    /** By vendor and product, variants in their order, then by market: the first 5,000. */
    offers: z.array(GridOffer),
    /** All that match. */
    count: z.number().int(),
    /** How many there are without the filter. */
    all: z.number().int(),
  })
  .meta({ id: "OfferList" });
export type OfferList = z.infer<typeof OfferList>;

/**
 * Offers that match a filter (`offer-query` of the domain). 404 for a `hub` that the person may not read; 400 `bad_filter` as in the
 * orders list.
 */
export const listOffers = adminEndpoint({
  method: "GET",
  url: "/offers",
  access: { permission: "orders.read", where: "any" },
  schema: { querystring: OfferFilter, response: { 200: OfferList } },
});

/** Rows of a products file of the offers that match, all of them, with the columns that the grid changes: it can be imported as it is. */
export const exportOffers = adminEndpoint({
  method: "GET",
  url: "/offers.csv",
  access: { permission: "orders.read", where: "any" },
  schema: { querystring: OfferFilter, response: { 200: z.unknown() } },
});

/** Values for a token that is being typed, as in the orders list: for hub, vendor, product and tag. */
export const suggestOfferTokens = adminEndpoint({
  method: "GET",
  url: "/offers/suggestions",
  access: { permission: "orders.read", where: "any" },
  schema: {
    querystring: z.object({ token: z.string().max(20), text: z.string().max(100).default("") }),
    response: { 200: z.array(z.object({ value: z.string(), title: z.string(), detail: z.string() })) },
  },
});

const Place = z.object({ offerId: BodyId, field: z.enum(OFFER_FIELDS) });

/** A cell that is wrong, with what it should be. */
export const CellProblem = Place.extend({ message: z.string() });
export type CellProblem = z.infer<typeof CellProblem>;

/** A cell that was changed meanwhile: its value now; who set it and when, where that is known. `isGone`: there is no such offer any more. */
export const CellConflict = Place.extend({
  value: z.string(),
  by: z.string().nullable(),
  at: Instant.nullable(),
  isGone: z.boolean(),
});
export type CellConflict = z.infer<typeof CellConflict>;

/** An amount that changes by more than a factor of three, or to zero. */
export const LargeChange = Place.extend({ from: Money.nullable(), to: Money.nullable() });
export type LargeChange = z.infer<typeof LargeChange>;

/**
 * Saves cells: all of them or none. `from` is what the person saw, `to` what was typed, as in a products file; empty: none. It is an
 * import of these cells, with its checks.
 *
 * 409 `conflict` with `cells` (`CellConflict`) when one is something else than `from` and `to` now; 422 `invalid_cells` with `cells`
 * (`CellProblem`); 422 `large_changes` with `cells` (`LargeChange`) and a `fingerprint`: again with it as `acceptedChanges`; 403 for a market, or for what is of all
 * markets; 503 `busy` while a file is imported.
 */
export const saveOffers = adminEndpoint({
  method: "POST",
  url: "/offers/cells",
  access: { permission: "catalogue.write", where: "any" },
  idempotent: true,
  schema: {
    body: z.object({
      cells: z
        .array(Place.extend({ from: line(5_000), to: line(5_000) }))
        .min(1)
        .max(CELLS_MAX),
      /** The `fingerprint` of large changes that the person has confirmed. */
      acceptedChanges: line(100).nullable().default(null),
    }),
    response: {
      200: z.object({
        /** Null: nothing changed. */
        action: StaffAction.nullable(),
        /** The offers whose cells are something else than before: of a product all that the person may read. */
        offers: z.array(GridOffer),
      }),
    },
  },
});
