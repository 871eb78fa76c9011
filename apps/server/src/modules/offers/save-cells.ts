import type { ActionSummary } from "@marketday/contracts/admin/actions";
import type { CellConflict, CellProblem, GridOffer } from "@marketday/contracts/admin/offers";
import type { SqlTx } from "@marketday/db";
import { readOfferCell } from "@marketday/domain/offer-cells";
import { isOfMarket, type OfferField } from "@marketday/domain/offer-fields";
import { can } from "@marketday/domain/staff";
import { cleanLine } from "@marketday/domain/text";

import { type Accepted, LargeChangesRefused } from "../../lib/amount-changes.ts";
import { AppError } from "../../lib/app-error.ts";
import { ImportRefused, type Problem } from "../../lib/file-problem.ts";
import { escapeNone, NONE } from "../../lib/none.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { setValues, type ValueRow } from "../imports/set-values.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { findLastEdits } from "./edits-sql.ts";
import { findGridRows, type GridRow } from "./offers-sql.ts";
import { canChangeAll, cellsOf, toGridOffer } from "./serialize.ts";

/** A cell that is saved: what the person saw, and what was typed, both as in a products file; empty: none. */
export interface CellChange {
  offerId: number;
  field: OfferField;
  from: string;
  to: string;
}

const EVERYWHERE = { scope: "all", hub: null } as const;
const keyOf = ({ offerId, field }: Pick<CellChange, "offerId" | "field">): string => `${offerId} ${field}`;

/** "brown-eggs, Dozen, carmel", as the comparison of amounts names a row. */
const nameOf = (row: GridRow): string => [row.product.slug, row.variant, row.hub.slug].join(", ");
const renamed = ({ title }: GridRow) =>
  new AppError(409, `${title} was renamed by an import just now. Nothing was saved: try again.`, {
    code: "changed_since",
  });
/** In the audit log: one product, or several. */
const subjectOf = (lines: readonly GridRow[]): string =>
  new Set(lines.map(({ product }) => product.id)).size === 1 ? `product:${lines[0]!.product.slug}` : "products";

/** @throws AppError 403 for a cell that the person may not change */
export function checkAccess(
  { grants }: StaffActor,
  cells: readonly CellChange[],
  rows: ReadonlyMap<number, GridRow>,
): void {
  for (const { offerId, field } of cells) {
    const row = rows.get(offerId);
    if (!row) continue;
    if (!can(grants, "catalogue.write", row.hub.id))
      throw new AppError(403, `You may not change products of ${row.hub.name}.`, { code: "forbidden" });
    if (!isOfMarket(field) && !canChangeAll(grants, row))
      throw new AppError(
        403,
        `${row.title} is sold in other markets too, and this is the same in all of them: you may change what is of your markets alone.`,
        { code: "forbidden" },
      );
  }
}

/** Cells that are something else than the person saw, and not what they typed either. */
export function findConflicts(cells: readonly CellChange[], rows: ReadonlyMap<number, GridRow>): CellChange[] {
  return cells.filter(({ offerId, field, from, to }) => {
    const row = rows.get(offerId);
    if (!row) return true;
    const now = cellsOf(row)[field];
    // The wire cleans what was seen; a text of an older version may not be clean.
    return cleanLine(now) !== from && now !== to;
  });
}

/** In the transaction: cells are something else now. Who set them is read once its locks are free. */
class Conflicted extends Error {
  readonly cells: readonly CellChange[];
  readonly rows: ReadonlyMap<number, GridRow>;
  constructor(cells: readonly CellChange[], rows: ReadonlyMap<number, GridRow>) {
    super();
    this.cells = cells;
    this.rows = rows;
  }
}

/** 409 with the values of now, and who set them and when where that is known. */
async function toConflict({ deps, now }: Context, { cells, rows }: Conflicted): Promise<AppError> {
  const edited = cells.flatMap(({ offerId, field }) => {
    const row = rows.get(offerId);
    return row
      ? [{ offerId, variantId: row.variant_id, productId: row.product.id, field, value: cellsOf(row)[field] }]
      : [];
  });
  const edits = await findLastEdits(deps.db, edited, now);
  const byKey = new Map(edited.map((cell, place) => [keyOf(cell), { value: cell.value, edit: edits[place] }]));
  return new AppError(409, "Some of these cells were changed in the meantime. Nothing was saved.", {
    code: "conflict",
    cells: cells.map(({ offerId, field }): CellConflict => {
      const found = byKey.get(keyOf({ offerId, field }));
      return {
        offerId,
        field,
        value: found?.value ?? "",
        by: found?.edit?.by ?? null,
        at: found?.edit?.at.toISOString() ?? null,
        isGone: found === undefined,
      };
    }),
  });
}

/** What a wrong cell should be, for a person at the grid. `price`: of its row, as it would be. */
function messageOf({ column, sentence, right }: Problem, price: string): string {
  if (column === "sale_price" && right.startsWith("less than the price"))
    return `A sale price must be below the price, $${price}. Leave it empty for no sale.`;
  const text = sentence ?? `Write ${right}`;
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** The problems of an import as those of cells; of a row as a whole they are of its first cell. */
function toCellProblems(
  problems: readonly Problem[],
  lines: readonly GridRow[],
  cells: readonly CellChange[],
): CellProblem[] {
  return problems.flatMap((problem): CellProblem[] => {
    const row = lines[problem.line - 1];
    if (!row) return [];
    const own = cells.filter(({ offerId }) => offerId === row.id);
    const { field } = own.find((cell) => cell.field === problem.column) ?? own[0]!;
    const price = own.find((cell) => cell.field === "price")?.to ?? cellsOf(row).price;
    return [{ offerId: row.id, field, message: messageOf(problem, price) }];
  });
}

/** Rows of a products file with these cells alone. An empty cell leaves the value as it is. */
function fileRows(cells: readonly CellChange[], lines: readonly GridRow[]): [ValueRow, ...ValueRow[]] {
  const fields = [...new Set(cells.map(({ field }) => field))];
  const typed = new Map(cells.map((cell) => [keyOf(cell), cell.to.trim()]));
  const [first, ...others] = lines.map((row): ValueRow => {
    const values = fields.map((field) => {
      const to = typed.get(keyOf({ offerId: row.id, field }));
      return [field, to === undefined ? "" : to === "" ? NONE : escapeNone(to)] as const;
    });
    return {
      slug: row.product.slug,
      variant: escapeNone(row.variant),
      hub: row.hub.slug,
      ...Object.fromEntries(values),
    };
  });
  return [first!, ...others];
}

const summaryOf = (
  cells: readonly CellChange[],
  lines: readonly GridRow[],
): Extract<ActionSummary, { kind: "edit_offers" }> => ({
  kind: "edit_offers",
  title: lines[0]!.title,
  field: cells.every(({ field }) => field === cells[0]!.field) ? cells[0]!.field : null,
  from: cells[0]!.from,
  to: cells[0]!.to,
  cells: cells.length,
  offers: lines.length,
});

/** How cells are written. */
interface Writing {
  accepted: Accepted;
  /** The name of the entry of the audit log. */
  action: string;
  /** In the transaction, with the rows locked and as they are now: what it throws is the answer. */
  guard: (tx: SqlTx, rows: ReadonlyMap<number, GridRow>) => Promise<void>;
  /** In the transaction, once all is written, with the rows as they are then. @returns the action that the audit entry names, if any */
  onWritten: (tx: SqlTx, rows: ReadonlyMap<number, GridRow>) => Promise<number | undefined>;
}

/**
 * Writes cells as the import of a file with only these.
 * @throws ImportRefused, LargeChangesRefused, AppError `busy`, and what the guard throws
 */
export async function writeCells(
  ctx: Context,
  cells: readonly CellChange[],
  lines: readonly GridRow[],
  { accepted, action, guard, onWritten }: Writing,
): Promise<void> {
  const byId = new Map(lines.map((row) => [row.id, row]));
  const read = async (tx: SqlTx) =>
    new Map((await findGridRows(tx, { ids: [...byId.keys()] }, EVERYWHERE, ctx.now)).map((row) => [row.id, row]));
  await setValues(ctx, fileRows(cells, lines), {
    action,
    subject: subjectOf(lines),
    data: { cells: cells.map(({ offerId, ...cell }) => ({ offer: nameOf(byId.get(offerId)!), ...cell })) },
    dryRun: false,
    accepted,
    // A person has typed them and sees them.
    acceptNames: true,
    signal: ctx.signal ?? new AbortController().signal,
    guard: async (tx) => {
      const now = await read(tx);
      // An import that was awaited has renamed one: the row of the file would be of another variant.
      for (const row of lines) {
        const current = now.get(row.id);
        if (current && nameOf(current) !== nameOf(row)) throw renamed(row);
      }
      await guard(tx, now);
    },
    onWritten: async (tx) => onWritten(tx, await read(tx)),
  });
}

/** The rows of cells, by id. */
export const rowsOf = async (ctx: Context, cells: readonly CellChange[]): Promise<Map<number, GridRow>> => {
  const ids = [...new Set(cells.map(({ offerId }) => offerId))];
  const rows = await findGridRows(ctx.deps.db, { ids }, EVERYWHERE, ctx.now);
  return new Map(rows.map((row) => [row.id, row]));
};

/** Cells with their texts as they are stored. @throws AppError 422 `invalid_cells` */
function readCells(cells: readonly CellChange[]): CellChange[] {
  const read = cells.map((cell) => ({ cell, result: readOfferCell(cell.field, cell.to) }));
  const problems = read.flatMap(({ cell: { offerId, field }, result }): CellProblem[] =>
    "message" in result ? [{ offerId, field, message: result.message }] : [],
  );
  if (problems.length > 0) throw invalidCells(problems);
  return read.map(({ cell, result }) => ("value" in result ? { ...cell, to: result.value } : cell));
}

const invalidCells = (cells: readonly CellProblem[]) =>
  new AppError(422, "Some of these cells are not right. Nothing was saved.", { code: "invalid_cells", cells });

/**
 * Saves cells of the grid: all or none (docs/product.md §18). Cells that are so already are no change.
 * @throws AppError 403, 409 `conflict`, 422 `invalid_cells` and `large_changes` with the cells, 503 `busy`
 */
export async function saveCells(
  ctx: Context,
  actor: StaffActor,
  { cells: typed, acceptedChanges }: { cells: readonly CellChange[]; acceptedChanges: string | null },
): Promise<{ actionId: number | null; offers: GridOffer[] }> {
  const wanted = [...new Map(typed.map((cell) => [keyOf(cell), cell])).values()];
  const rows = await rowsOf(ctx, wanted);
  checkAccess(actor, wanted, rows);
  const cells = readCells(wanted).filter(({ offerId, field, to }) => {
    const row = rows.get(offerId);
    return row === undefined || cellsOf(row)[field] !== to;
  });
  const conflicts = findConflicts(cells, rows);
  if (conflicts.length > 0) throw await toConflict(ctx, new Conflicted(conflicts, rows));
  let actionId: number | null = null;
  if (cells.length > 0) {
    const ids = new Set(cells.map(({ offerId }) => offerId));
    const lines = [...rows.values()].filter(({ id }) => ids.has(id));
    try {
      actionId = await write(ctx, cells, lines, acceptedChanges === null ? null : { fingerprint: acceptedChanges });
    } catch (error) {
      throw error instanceof Conflicted ? await toConflict(ctx, error) : asAnswer(error, cells, lines);
    }
  }
  const productIds = cells
    .filter(({ field }) => !isOfMarket(field))
    .map(({ offerId }) => rows.get(offerId)!.product.id);
  const after = await findGridRows(ctx.deps.db, { ids: [...rows.keys()], productIds }, EVERYWHERE, ctx.now);
  return {
    actionId,
    offers: after
      .filter(({ hub }) => can(actor.grants, "orders.read", hub.id))
      .map((row) => toGridOffer(row, actor.grants)),
  };
}

/** Writes cells, with an action that can be undone. @returns its id; null: someone else made the same changes meanwhile */
async function write(
  ctx: Context,
  cells: readonly CellChange[],
  lines: readonly GridRow[],
  accepted: Accepted,
): Promise<number | null> {
  const byId = new Map(lines.map((row) => [row.id, row]));
  let before: ReadonlyMap<number, GridRow> = byId;
  let actionId: number | null = null;
  await writeCells(ctx, cells, lines, {
    accepted,
    action: "offers edit",
    guard: async (_, now) => {
      const conflicts = findConflicts(cells, now);
      if (conflicts.length > 0) throw new Conflicted(conflicts, now);
      before = now;
      return Promise.resolve();
    },
    onWritten: async (tx, now) => {
      // As they were and are stored, whatever the page had: Undo puts back what was there.
      const written = cells
        .map((cell) => ({
          ...cell,
          from: cellsOf(before.get(cell.offerId)!)[cell.field],
          to: cellsOf(now.get(cell.offerId)!)[cell.field],
        }))
        .filter(({ from, to }) => from !== to);
      if (written.length === 0) return undefined;
      const stored = written.map((cell) => {
        const row = byId.get(cell.offerId)!;
        return { ...cell, variantId: row.variant_id, productId: row.product.id };
      });
      actionId = await storeAction(tx, ctx, {
        hubId: hubOf(written, lines),
        deliveryId: null,
        subject: subjectOf(lines),
        input: { cells: stored },
        summary: summaryOf(written, lines),
      });
      return actionId;
    },
  });
  return actionId;
}

/** The one market that cells are of; null: several, or what is the same in all. */
function hubOf(cells: readonly CellChange[], lines: readonly GridRow[]): number | null {
  const [first] = lines;
  return cells.every(({ field }) => isOfMarket(field)) && lines.every(({ hub }) => hub.id === first!.hub.id)
    ? first!.hub.id
    : null;
}

/** A refusal of the import as an answer that names cells. */
function asAnswer(error: unknown, cells: readonly CellChange[], lines: readonly GridRow[]): unknown {
  if (error instanceof ImportRefused) return invalidCells(toCellProblems(error.problems, lines, cells));
  if (!(error instanceof LargeChangesRefused)) return error;
  const byName = new Map(lines.map((row) => [nameOf(row), row.id]));
  return new AppError(422, "Some amounts change very much. Nothing was saved.", {
    code: "large_changes",
    fingerprint: error.fingerprint,
    cells: error.amounts.changes
      .filter(({ isLarge }) => isLarge)
      .map(({ subject, field, before, after }) => ({
        offerId: byName.get(subject)!,
        field,
        from: before === null ? null : before / 100,
        to: after === null ? null : after / 100,
      })),
  });
}
