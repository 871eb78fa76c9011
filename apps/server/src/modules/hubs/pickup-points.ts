import type { AnyTx, Tx } from "@marketday/db";
import { foldName, isSameName } from "@marketday/domain/names";
import { errorValueSentence, spreadsheetSentence } from "@marketday/domain/spreadsheet-text";
import { cleanLine } from "@marketday/domain/text";

import type { Context } from "../identity/context.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import type { HubPlan } from "./hub-file.ts";
import { ifMeant } from "./hub-names.ts";
import { findPickupCustomers, lockPickupPoints, type PickupPlaceRow, type StoredPoint } from "./pickup-point-sql.ts";
import { closePickupPoints, insertPickupPoint, updatePickupPoint } from "./pickup-point-store.ts";

type FilePoint = NonNullable<HubPlan["pickupPoints"]>[number];

/** A problem of a list of pickup points: the path within it, and a sentence. */
interface PointProblem {
  path: (string | number)[];
  sentence: string;
}

/** How doubtful lists are taken all the same. */
export interface AcceptPoints {
  /** Names that look like a mistake. */
  names: boolean;
  /** Points that close while orders, or automatic orders to come, go there. */
  closing: boolean;
}

/** A pickup point that is renamed, or that changes while orders go there. Its values are listed with those of the hub. */
export interface PointChange {
  name: string;
  /** Its former name, when it is renamed. */
  renamedFrom: string | null;
  /** Orders that are still to be picked up there; an order with its add-ons is one. */
  boxes: number;
  /** Customers who are emailed about it. */
  mails: number;
}

/** A checked list: each point of the file with the stored one that it is, and the stored ones that close. */
export interface PointsPlan {
  points: { point: FilePoint; stored: StoredPoint | null }[];
  closing: StoredPoint[];
}

/** `2 open orders still go to "Depot Barn", and 1 customer receives automatic orders there` */
function usesOf({ name, boxes, autoCheckouts }: StoredPoint): string {
  const orders = boxes === 1 ? `1 open order still goes to "${name}"` : `${boxes} open orders still go to "${name}"`;
  const where = boxes > 0 ? "there" : `at "${name}"`;
  const automatic =
    autoCheckouts === 1
      ? `1 customer receives automatic orders ${where}`
      : `${autoCheckouts} customers receive automatic orders ${where}`;
  return [...(boxes > 0 ? [orders] : []), ...(autoCheckouts > 0 ? [automatic] : [])].join(", and ");
}

const rowOf = ({ name, address, city, state, zipCode, hours }: FilePoint): PickupPlaceRow => ({
  name,
  address,
  city,
  state,
  zip_code: zipCode,
  hours,
});

/** The stored point of each point of the file: by its id, else by exactly its name. */
function matchPoints(stored: readonly StoredPoint[], points: readonly FilePoint[]) {
  const problems: PointProblem[] = [];
  const taken = new Map<number, string>();
  const matched = points.map((point, place) => {
    const byId = stored.find(({ id }) => id === point.id);
    const found = byId ?? stored.find(({ name }) => name === point.name) ?? null;
    if (point.id !== undefined && !found && stored.length > 0)
      problems.push({
        path: [place, "id"],
        sentence: `${point.id} is no pickup point of this hub. Write its id as \`market hubs export\` has it, or leave it out for a new one`,
      });
    const first = found && taken.get(found.id);
    if (found && first !== undefined)
      problems.push({
        path: [place, byId ? "id" : "name"],
        sentence: `"${point.name}" is the same pickup point as "${first}" above, by its ${byId ? "id" : "former name"}`,
      });
    if (found) taken.set(found.id, point.name);
    return { point, stored: found };
  });
  return { matched, problems };
}

type Matched = ReturnType<typeof matchPoints>["matched"];

/** The problem of a new name that is nearly, or exactly, the name of another point. */
function nearProblem(all: readonly StoredPoint[], matched: Matched, place: number, accept: AcceptPoints) {
  const { point, stored } = matched[place]!;
  if (stored?.name === point.name) return null;
  const renamed = new Set(
    matched.flatMap((each) => (each.stored && each.stored.name !== each.point.name ? [each.stored.id] : [])),
  );
  const others = [
    ...all.filter(({ id }) => id !== stored?.id && !renamed.has(id)).map(({ id, name }) => ({ name, id })),
    ...matched.slice(0, place).map((each) => ({ name: each.point.name, id: each.stored?.id })),
  ];
  const equal = others.find(({ name }) => name === point.name);
  if (equal)
    return {
      path: [place, "name"],
      sentence: `another pickup point of this hub is named "${point.name}" (id ${equal.id ?? "new"})`,
    };
  const near = others.find(({ name }) => isSameName(name, point.name));
  if (!near || accept.names) return null;
  const rename = near.id === undefined ? "" : ` To rename it, write "id": ${near.id} beside the new name.`;
  return {
    path: [place, "name"],
    sentence: ifMeant(
      `"${point.name}" is nearly the same name: there is a pickup point "${near.name}" already. Did you mean ${near.name}?${rename}`,
    ),
  };
}

/** The problems of new texts that look like a spreadsheet's. */
function textProblems({ point, stored }: Matched[number], place: number): PointProblem[] {
  const isName = (field: string): boolean => ["name", "city", "state"].includes(field);
  return (["name", "address", "city", "state", "hours"] as const).flatMap((field) => {
    if (stored?.[field] === point[field]) return [];
    const sentence = isName(field) ? spreadsheetSentence(point[field]) : errorValueSentence(point[field]);
    return sentence === null ? [] : [{ path: [place, field], sentence: ifMeant(sentence) }];
  });
}

function closingProblem(point: StoredPoint, place: number): PointProblem {
  const what = `${usesOf(point)}, which would close`;
  const consequences = [
    ...(point.boxes > 0 ? ["these orders still go there, new ones cannot"] : []),
    ...(point.autoCheckouts > 0
      ? ["automatic orders wait until their customers choose another place, which an email says"]
      : []),
  ];
  const how = `To close it all the same, --close-points: ${consequences.join("; ")}`;
  return place < 0
    ? {
        path: [],
        sentence: `${what} because this list leaves it out. If it has another name now, write "id": ${point.id} beside the new name. ${how}`,
      }
    : { path: [place, "active"], sentence: `${what}. ${how}` };
}

/** Checks the pickup points of a hub's file against the stored ones, which it locks. */
export async function planPickupPoints(
  ctx: Context,
  tx: AnyTx,
  slug: string,
  points: readonly FilePoint[],
  accept: AcceptPoints,
): Promise<{ plan: PointsPlan; problems: PointProblem[] }> {
  const stored = await lockPickupPoints(tx, slug, ctx.now);
  const { matched, problems } = matchPoints(stored, points);
  for (const [place, each] of matched.entries()) {
    const near = nearProblem(stored, matched, place, accept);
    if (near) problems.push(near);
    if (!accept.names) problems.push(...textProblems(each, place));
  }
  const closing = stored.filter((point) => {
    const now = matched.find((each) => each.stored?.id === point.id);
    return point.is_active && now?.point.active !== true;
  });
  for (const point of closing)
    if (point.boxes + point.autoCheckouts > 0 && !accept.closing)
      problems.push(
        closingProblem(
          point,
          matched.findIndex((each) => each.stored?.id === point.id),
        ),
      );
  return { plan: { points: matched, closing }, problems };
}

const FIELDS = ["address", "city", "state", "zip_code", "hours"] as const;

/** Whether customers must hear of a change: the name may be written in another way. */
const concernsCustomers = (stored: StoredPoint, row: PickupPlaceRow): boolean =>
  FIELDS.some((field) => cleanLine(stored[field]) !== row[field]) || foldName(stored.name) !== foldName(row.name);

/** Emails the customers who have orders at a point that is elsewhere, open at other hours or named otherwise now. */
async function mailChange(
  ctx: Context,
  tx: AnyTx,
  hub: { name: string; timeZone: string },
  stored: StoredPoint,
  after: PickupPlaceRow,
): Promise<number> {
  const customers = await findPickupCustomers(tx, stored.id, ctx.now);
  const { name, address, city, state, zip_code, hours } = stored;
  for (const { customer_id: customerId, order_id: orderId, days } of customers)
    await enqueueMail(tx, {
      key: `pickup-point-changed:${stored.id}:${customerId}:${ctx.now.getTime()}`,
      template: "pickup-point-changed",
      customerId,
      data: {
        market: hub.name,
        timeZone: hub.timeZone,
        orderId,
        days,
        before: { name, address, city, state, zip_code, hours },
        after,
      },
      now: ctx.now,
    });
  return customers.length;
}

/**
 * Writes the pickup points of a hub. A point that is renamed stays the same one, with its orders; customers who have orders at a
 * point that changes are emailed.
 * @returns the points that are renamed or have orders, and the number of changed rows
 */
export async function writePickupPoints(
  ctx: Context,
  tx: Tx,
  hub: { id: number; name: string; timeZone: string },
  { points, closing }: PointsPlan,
): Promise<{ rows: number; points: PointChange[] }> {
  const listed = new Set(points.map(({ stored }) => stored?.id));
  const leftOut = closing.filter(({ id }) => !listed.has(id));
  const changed: PointChange[] = leftOut.map(({ name, boxes }) => ({
    name,
    renamedFrom: null,
    boxes,
    mails: 0,
  }));
  let rows = await closePickupPoints(
    tx,
    leftOut.map(({ id }) => id),
  );
  for (const { point, stored } of points) {
    const row = rowOf(point);
    if (!stored) {
      await insertPickupPoint(tx, hub.id, { ...row, is_active: point.active });
      rows += 1;
      continue;
    }
    const written = await updatePickupPoint(tx, stored.id, { ...row, is_active: point.active });
    rows += written;
    if (written === 0) continue;
    const mails = stored.boxes > 0 && concernsCustomers(stored, row) ? await mailChange(ctx, tx, hub, stored, row) : 0;
    const renamedFrom = stored.name === row.name ? null : stored.name;
    changed.push({ name: row.name, renamedFrom, boxes: stored.boxes, mails });
  }
  return { rows, points: changed.filter(({ renamedFrom, boxes }) => renamedFrom !== null || boxes > 0) };
}
