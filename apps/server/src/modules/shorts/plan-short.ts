import { shareOut } from "@marketday/domain/stock";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import {
  notOfDay,
  otherCount,
  planVariantShort,
  type ShortCount,
  type VariantShortPlan,
} from "../orders/short-variant.ts";
import { type DayItemRow, findShareBoxes, type ShareBoxRow, type ShortDayRow } from "./day-items-sql.ts";
import { type DayKey, itemOf, titleOf } from "./read-shorts.ts";
import type { CountValues } from "./store.ts";

/** A count of an item of a day. */
export interface ItemCount extends CountValues {
  variantId: number;
}

/** What a shortage does. */
export interface ShortPlanned {
  title: string;
  boxes: (ShareBoxRow & { gets: number })[];
  /** Null before the cutoff, when orders are not charged yet. */
  short: VariantShortPlan | null;
}

/** Shares set by hand, by box. */
export const getsOf = (gets: CountValues["gets"]): Map<number, number> | undefined =>
  gets === null ? undefined : new Map(Object.entries(gets).map(([boxId, units]) => [Number(boxId), units]));

/** A count as `shortVariant` has it, of what is ordered now. */
export function shortCountOf({ hub, date }: DayKey, { variantId, came, of, gets }: ItemCount): ShortCount {
  const shares = getsOf(gets);
  return {
    hub,
    day: date,
    vendor: null,
    item: String(variantId),
    came,
    of,
    isOfNow: true,
    ...(shares && { gets: shares }),
  };
}

/** @throws AppError 409 `other_count` with `ordered`; 422 `not_short` when all that are ordered came */
export function assertShort(item: DayItemRow, { came, of }: Pick<CountValues, "came" | "of">): void {
  const title = titleOf(item);
  if (of !== item.ordered) throw otherCount(title, item.ordered, of);
  if (came < of) return;
  const ordered = item.ordered === 1 ? "1 is" : `${item.ordered} are`;
  throw new AppError(
    422,
    came === of
      ? `All ${item.ordered} of ${title} came, so nothing is short.`
      : `Only ${ordered} ordered of ${title}, so nothing is short when ${came.toLocaleString("en-US")} come.`,
    { code: "not_short", field: "came" },
  );
}

/**
 * The shares of a count, by hand or by the rule, with what they cost; nothing is changed.
 * @throws AppError 404 `no_such_item`; 409 `other_count`, `other_boxes`, `refused`; 422 `not_short`, `bad_shares`
 */
export async function planShort(ctx: Context, key: DayKey, day: ShortDayRow, count: ItemCount): Promise<ShortPlanned> {
  const item = itemOf(day, count.variantId);
  const title = titleOf(item);
  assertShort(item, count);
  const { db } = ctx.deps;
  if (!day.is_frozen) {
    const boxes = await findShareBoxes(db, day.id, count.variantId);
    return { title, boxes: withShares(boxes, sharesOf(boxes, count)), short: null };
  }
  const short = await planVariantShort(ctx, shortCountOf(key, count), inputOf(count));
  const gets = new Map(short.shares.map((share) => [share.boxId, share.gets]));
  const boxes = await findShareBoxes(db, day.id, count.variantId);
  return { title, boxes: withShares(boxes, gets), short };
}

/** How the missing units are refunded. */
export const inputOf = ({ refundTo, bearer, reason }: CountValues) => ({ to: refundTo, bearer, reason });

const withShares = (boxes: readonly ShareBoxRow[], gets: ReadonlyMap<number, number>) =>
  boxes.map((box) => ({ ...box, gets: gets.get(box.boxId) ?? box.ordered }));

/** The shares of boxes, by hand or by the rule. @throws AppError 409 `other_boxes`; 422 `bad_shares` */
export function sharesOf(boxes: readonly ShareBoxRow[], { came, gets }: Pick<CountValues, "came" | "gets">) {
  const set = getsOf(gets);
  if (!set) {
    const shares = shareOut(
      came,
      boxes.map(({ ordered }) => ordered),
    );
    return new Map(boxes.map(({ boxId }, place) => [boxId, shares[place]!]));
  }
  const bad = (message: string) => new AppError(422, `${message} Nothing was done.`, { code: "bad_shares" });
  const sum = [...set.values()].reduce((total, units) => total + units, 0);
  if (sum !== came) throw bad(`The boxes get ${sum}, but ${came} can be shared out.`);
  const other = [...set.keys()].find((id) => boxes.every(({ boxId }) => boxId !== id));
  if (other !== undefined) throw notOfDay(other);
  for (const { boxId, tote, ordered } of boxes) {
    const units = set.get(boxId);
    const name = tote === null ? `Order ${boxId}` : `Tote ${tote} (order ${boxId})`;
    if (units === undefined)
      throw new AppError(409, `${name} has come to this day since. Check the shares again.`, { code: "other_boxes" });
    if (units > ordered) throw bad(`${name} ordered ${ordered}, and cannot get more.`);
  }
  return set;
}
