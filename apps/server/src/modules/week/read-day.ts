import { cents } from "@marketday/domain/money";
import { compareDays, type DayVersion, type SheetChange } from "@marketday/domain/sheets";

import type { Context } from "../identity/context.ts";
import { type ComparedBox, type DayFactsRow, findComparedBoxes } from "./day-facts-sql.ts";
import { getDayFacts } from "./get-day-facts.ts";
import { toBox } from "./read-sheets.ts";
import { ALL_SHEETS } from "./sheets/all-sheets.ts";
import { changedSheetNames, repackedTotes } from "./sheets/changed.ts";
import { sheetNames } from "./sheets/make.ts";

/** A delivery day with its versions, and what each changed. */
export interface DayOfHub {
  facts: DayFactsRow;
  /** By version, from the second on. */
  changes: ReadonlyMap<number, SheetChange[]>;
  /** The files of the newest version (`sheetJobOf`); none before its sheets are made. */
  files: string[];
}

/**
 * A delivery day of a hub (slug or id): two statements, the second from version 2 on.
 * @throws AppError 404 for an unknown hub, and for a date without a delivery
 */
export async function readDay(ctx: Context, hub: string, day: string): Promise<DayOfHub> {
  const { db } = ctx.deps;
  const facts = await getDayFacts(ctx, hub, day);
  const { versions } = facts;
  const boxes =
    versions.length > 1
      ? await findComparedBoxes(
          db,
          versions.map(({ id }) => id),
        )
      : [];
  const boxesOf = Map.groupBy(boxes, (box) => box.snapshot_id);
  const compared = versions.map((version): DayVersion => ({
    boxes: (boxesOf.get(version.id) ?? []).map(toComparedBox),
    plan: version.routes === null ? null : { drivers: version.drivers ?? 1, routes: version.routes },
  }));
  const changes = new Map(
    versions.slice(1).map(({ version }, place) => [version, compareDays(compared[place]!, compared[place + 1]!)]),
  );
  const newest = versions.at(-1);
  if (!newest || newest.madeAt === null) return { facts, changes, files: [] };
  const names = sheetNames({ boxes: facts.boxes, doors: facts.doors, versions: versions.length });
  const changed = versions.slice(0, -1).flatMap(({ version, madeAt }, place) => {
    if (madeAt === null) return [];
    const totes = repackedTotes(compareDays(compared[place]!, compared.at(-1)!));
    return changedSheetNames(version, totes.length > 0);
  });
  return { facts, changes, files: [...(names.length > 0 ? [ALL_SHEETS] : []), ...names, ...changed] };
}

/** What versions are compared by; the rest is empty. */
const toComparedBox = ({ address, pickup, lines, ...box }: ComparedBox) =>
  toBox(
    {
      ...box,
      due_cents: cents(box.due_cents),
      phone: "",
      address: address as Record<string, string> | null,
      pickup: pickup as Record<string, string> | null,
    },
    lines.map((line) => ({
      box_order_id: box.order_id,
      order_item_id: 0,
      vendor_id: 0,
      vendor_name: line.vendor,
      variant_id: line.variantId,
      product_title: line.product,
      variant_title: line.variant,
      unit: line.unit,
      storage: "dry",
      bundle_title: null,
      quantity: line.quantity,
    })),
  );
