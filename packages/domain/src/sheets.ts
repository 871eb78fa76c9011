/**
 * What a delivery day's papers say (docs/product.md §14), worked out from the snapshot frozen at the cutoff: which vendor brings
 * what, which tote gets it, what is in a box and who carries it where. Nothing here draws.
 */

import type { DeliveryAddress, PickupPlace } from "./address.ts";
import { getOrThrow } from "./get-or-throw.ts";
import { type Cents, zeroCents } from "./money.ts";
import { formatFrozen } from "./size.ts";

/** How a product is packed; the order in which a box is packed, too. */
export const STORAGES = ["dry", "cold", "frozen"] as const;
export type Storage = (typeof STORAGES)[number];

/** A frozen line of an order. */
export interface BoxLine {
  orderItemId: number;
  vendorId: number;
  vendor: string;
  variantId: number;
  product: string;
  variant: string;
  /** What one is, "8 oz"; null where the market does not say. */
  unit: string | null;
  storage: Storage;
  bundle: string | null;
  quantity: number;
}

/** A box: an order with its add-ons, packed into the tote of this number. `door` or `pickup` is null. */
export interface Box {
  tote: number;
  orderId: number;
  name: string;
  phone: string;
  door: DeliveryAddress | null;
  pickup: PickupPlace | null;
  notes: string;
  /** To be collected when it is handed over. */
  dueCents: Cents;
  lines: readonly BoxLine[];
}

/**
 * Who drives what, as printed on the sheets of one version: the order ids of each driver by stop, so that
 * `routes[1][2]` is driver 2's stop 3. Null: its order moved to another stop. An order that left the day keeps its place:
 * a stop without a box is a gap, and its number is never given to another order.
 */
export interface RoutePlan {
  /** How many drivers were requested; there are fewer routes when there are fewer doors. */
  drivers: number;
  routes: readonly (readonly (number | null)[])[];
}

/** Where a box goes: a driver's stop or a pickup point; null where neither is known. */
export type Destination = { driver: number; stop: number } | { pickup: string } | null;

/** One version of a day, as frozen. Dates are calendar dates, instants are instants. */
export interface FrozenDay {
  hub: string;
  /** Where the market is on the web, "https://market.example": its labels lead there. */
  market: string;
  day: string;
  timeZone: string;
  version: number;
  cutoffAt: Date;
  frozenAt: Date;
  boxes: readonly Box[];
  /** Null until the sheets of this version are made. */
  plan: RoutePlan | null;
}

/** A variant of one vendor, with the totes that get some of it, ascending. `quantity` is their sum. */
export interface SheetItem {
  variantId: number;
  product: string;
  variant: string;
  /** What one is, "8 oz"; null where the market does not say. */
  unit: string | null;
  storage: Storage;
  quantity: number;
  totes: { tote: number; quantity: number }[];
}

/** What one vendor brings, and where each of it goes: the pick sheet and the fill sheet are two looks at this. */
export interface VendorSheet {
  vendorId: number;
  vendor: string;
  quantity: number;
  items: SheetItem[];
}

/** A line on a pack list: lines of one variant in one box are packed together. */
export interface PackLine {
  variantId: number;
  vendor: string;
  product: string;
  variant: string;
  /** What one is, "8 oz"; null where the market does not say. */
  unit: string | null;
  storage: Storage;
  quantity: number;
}

/** What goes into one tote, dry, cold and frozen apart; empty parts are left out. */
export interface PackList {
  box: Box;
  parts: { storage: Storage; quantity: number; lines: PackLine[] }[];
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const sum = (values: readonly { quantity: number }[]): number =>
  values.reduce((all, { quantity }) => all + quantity, 0);

const byWords = (
  a: { product: string; variant: string; variantId: number },
  b: { product: string; variant: string; variantId: number },
): number => byText(a.product, b.product) || byText(a.variant, b.variant) || a.variantId - b.variantId;

const byStorage = (a: { storage: Storage }, b: { storage: Storage }): number =>
  STORAGES.indexOf(a.storage) - STORAGES.indexOf(b.storage);

/** "Carrots, Small · 8 oz"; variant and unit are left out where they say nothing, or repeat what is before them. */
export const itemTitle = ({ product, variant, unit }: Pick<BoxLine, "product" | "variant" | "unit">): string =>
  formatFrozen(product, variant, unit);

/** One sheet a vendor, by name; its items dry, cold, frozen, then by name. */
export function vendorSheets(boxes: readonly Box[]): VendorSheet[] {
  const vendors = new Map<number, { vendor: string; items: Map<number, SheetItem> }>();
  for (const box of boxes.toSorted((a, b) => a.tote - b.tote)) {
    for (const line of box.lines) {
      const vendor = vendors.get(line.vendorId) ?? { vendor: line.vendor, items: new Map<number, SheetItem>() };
      vendors.set(line.vendorId, vendor);
      const { variantId, product, variant, unit, storage } = line;
      const item = vendor.items.get(variantId) ?? {
        variantId,
        product,
        variant,
        unit,
        storage,
        quantity: 0,
        totes: [],
      };
      vendor.items.set(variantId, item);
      item.quantity += line.quantity;
      const last = item.totes.at(-1);
      if (last?.tote === box.tote) last.quantity += line.quantity;
      else item.totes.push({ tote: box.tote, quantity: line.quantity });
    }
  }
  return [...vendors]
    .map(([vendorId, { vendor, items }]) => {
      const sorted = [...items.values()].toSorted((a, b) => byStorage(a, b) || byWords(a, b));
      return { vendorId, vendor, quantity: sum(sorted), items: sorted };
    })
    .toSorted((a, b) => byText(a.vendor, b.vendor) || a.vendorId - b.vendorId);
}

/** One pack list a box, by tote. */
export function packLists(boxes: readonly Box[]): PackList[] {
  return boxes
    .toSorted((a, b) => a.tote - b.tote)
    .map((box) => {
      const lines = [...Map.groupBy(box.lines, ({ variantId }) => variantId).values()].map((same): PackLine => {
        const { variantId, vendor, product, variant, unit, storage } = getOrThrow(same, 0);
        return { variantId, vendor, product, variant, unit, storage, quantity: sum(same) };
      });
      const parts = STORAGES.map((storage) => {
        const here = lines
          .filter((line) => line.storage === storage)
          .toSorted((a, b) => byText(a.vendor, b.vendor) || byWords(a, b));
        return { storage, quantity: sum(here), lines: here };
      });
      return { box, parts: parts.filter((part) => part.lines.length > 0) };
    });
}

/** A sticker: one for each part of a box that is packed apart. `part` counts from 1. */
export interface Label {
  box: Box;
  storage: Storage;
  part: number;
  parts: number;
}

/** The stickers of a day, by tote: a box with something cold has two, marked "1 of 2". */
export function labelsOf(packs: readonly PackList[]): Label[] {
  return packs.flatMap(({ box, parts }) =>
    parts.map(({ storage }, place) => ({ box, storage, part: place + 1, parts: parts.length })),
  );
}

/** The address in a sticker's QR code, which any phone's camera opens. Its capitals, digits and signs make the square small. */
export const toteAddress = (market: string, { orderId }: Pick<Box, "orderId">): string =>
  `${market}/t/${orderId}`.toUpperCase();

/**
 * One thing that differs between two versions of a day. Quantities before and after. `moved`: to another address or
 * pickup point; `rerouted`: to the same address, by another driver or at another stop. Both have no `lines`.
 */
export interface SheetChange {
  kind: "cancelled" | "changed" | "added" | "moved" | "rerouted" | "noted" | "collect";
  tote: number;
  orderId: number;
  name: string;
  lines: {
    vendor: string;
    product: string;
    variant: string;
    unit: string | null;
    before: number;
    after: number;
  }[];
  /** What is to be collected, before and after. */
  due: { before: Cents; after: Cents };
  /** Where the box goes, before and after; null where it is not on that version's paper. */
  goesTo: { before: Destination; after: Destination };
}

/** What two versions are compared by. */
export type DayVersion = Pick<FrozenDay, "boxes" | "plan">;

const addressKey = ({ door, pickup }: Box): string =>
  JSON.stringify(
    door
      ? [door.address, door.address2, door.city, door.state, door.zipCode]
      : pickup && [pickup.name, pickup.address, pickup.city, pickup.state, pickup.zipCode],
  );

/** The stop of each order on the paper of a version, by order id. */
function stopsOf({ plan }: Pick<DayVersion, "plan">): Map<number, { driver: number; stop: number }> {
  const stops = new Map<number, { driver: number; stop: number }>();
  for (const [driver, route] of (plan?.routes ?? []).entries())
    for (const [stop, orderId] of route.entries())
      if (orderId !== null) stops.set(orderId, { driver: driver + 1, stop: stop + 1 });
  return stops;
}

/** Where each box of a version goes. A box with a door is null while no routes are planned. */
export function destinationsOf(version: Pick<DayVersion, "plan">): (box: Box) => Destination {
  const stops = stopsOf(version);
  return ({ orderId, door, pickup }) => (door ? (stops.get(orderId) ?? null) : pickup && { pickup: pickup.name });
}

/** Where each box was printed to go: that of an account deleted since has lost its address, not its stop. */
function printedPlaces(version: DayVersion): (box: Box) => Destination {
  const [stops, place] = [stopsOf(version), destinationsOf(version)];
  return (box) => (box.door || box.pickup ? place(box) : (stops.get(box.orderId) ?? null));
}

const isSamePlace = (a: Destination, b: Destination): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The order in which changes are listed: what is packed comes before where it goes, and money last. */
const CHANGE_ORDER = ["cancelled", "added", "changed", "moved", "rerouted", "noted", "collect"] as const;

/**
 * What differs from one version to the next, by kind and tote: boxes that were cancelled or added, hold less or more, go to another
 * address, by another driver or at another stop, or have another amount to collect.
 */
export function compareDays(before: DayVersion, after: DayVersion): SheetChange[] {
  const [oldBoxes, newBoxes] = [before, after].map(({ boxes }) => new Map(boxes.map((box) => [box.orderId, box])));
  const [oldPlace, newPlace] = [printedPlaces(before), printedPlaces(after)];
  const arePlanned = before.plan !== null && after.plan !== null;
  const ids = new Set([...(oldBoxes?.keys() ?? []), ...(newBoxes?.keys() ?? [])]);
  const changes: SheetChange[] = [];
  for (const id of ids) {
    const [then, now] = [oldBoxes?.get(id), newBoxes?.get(id)];
    const box = now ?? then;
    if (!box) continue;
    const lines = lineChanges(then?.lines ?? [], now?.lines ?? []);
    const due = { before: then?.dueCents ?? zeroCents, after: now?.dueCents ?? zeroCents };
    const goesTo = { before: then ? oldPlace(then) : null, after: now ? newPlace(now) : null };
    const head = { tote: box.tote, orderId: id, name: box.name, due, goesTo };
    if (lines.length > 0) changes.push({ ...head, kind: !now ? "cancelled" : then ? "changed" : "added", lines });
    if (!then || !now) continue;
    // A deleted account has emptied the older version too, so that two empty addresses are the same.
    const isMoved = addressKey(then) !== addressKey(now);
    const isRerouted = !isMoved && arePlanned && !isSamePlace(goesTo.before, goesTo.after);
    if (isMoved || isRerouted) changes.push({ ...head, kind: isMoved ? "moved" : "rerouted", lines: [] });
    else if (lines.length === 0 && then.notes !== now.notes) changes.push({ ...head, kind: "noted", lines: [] });
    else if (lines.length === 0 && due.before !== due.after) changes.push({ ...head, kind: "collect", lines: [] });
  }
  const rank = ({ kind }: SheetChange): number => CHANGE_ORDER.indexOf(kind);
  return changes.toSorted((a, b) => rank(a) - rank(b) || a.tote - b.tote);
}

function lineChanges(before: readonly BoxLine[], after: readonly BoxLine[]): SheetChange["lines"] {
  const found = new Map<number, SheetChange["lines"][number] & { variantId: number }>();
  const take = (line: BoxLine, side: "before" | "after") => {
    const { variantId, vendor, product, variant, unit } = line;
    const change = found.get(variantId) ?? { variantId, vendor, product, variant, unit, before: 0, after: 0 };
    change[side] += line.quantity;
    found.set(variantId, change);
  };
  for (const line of before) take(line, "before");
  for (const line of after) take(line, "after");
  return [...found.values()]
    .filter((change) => change.before !== change.after)
    .toSorted((a, b) => byText(a.vendor, b.vendor) || byWords(a, b))
    .map(({ variantId: _variantId, ...change }) => change);
}
