import type { SavedView } from "@marketday/contracts/admin/order-list";
import { isUniqueViolation, transaction } from "@marketday/db";
import { parseOfferQuery } from "@marketday/domain/offer-query";
import { parseOrderQuery } from "@marketday/domain/order-query";
import { can, type Grant } from "@marketday/domain/staff";

import { AppError, notFound } from "../../lib/app-error.ts";
import { loggedQuery } from "../../lib/logged-query.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import {
  findView,
  findViews,
  insertView,
  isNameTaken,
  removeView,
  updateView,
  type ViewContent,
  type ViewRow,
} from "./view-store.ts";

type Screen = SavedView["screen"];
/** A view as it is saved. `isShared`: for everyone of the staff. */
export interface ViewInput extends Omit<ViewContent, "staffId"> {
  isShared: boolean;
}

/** Whether a person may change the views of the market. */
const changesShared = (grants: readonly Grant[]): boolean =>
  can(grants, "settings.write", "all") || can(grants, "catalogue.write", "all");

const toView = (row: ViewRow, { grants }: StaffActor): SavedView => ({
  id: row.id,
  screen: row.screen as Screen,
  name: row.name,
  query: row.query,
  sort: row.sort,
  columns: row.columns,
  isShared: row.staff_id === null,
  canChange: row.staff_id !== null || changesShared(grants),
  version: row.version,
});

/** The language of each screen's filter. */
const PARSERS = { orders: parseOrderQuery, products: parseOfferQuery } as const;

/** A view as the audit log has it. */
function logged(screen: Screen, { name, query, sort, columns, isShared }: ViewInput) {
  const { text, words } = loggedQuery(PARSERS[screen](query));
  return { name, query: text, words, sort, columns, isShared };
}
const loggedRow = (row: ViewRow) => logged(row.screen as Screen, { ...row, isShared: row.staff_id === null });

/** The market's views of a screen, then one's own. */
export const readViews = async ({ deps }: Context, actor: StaffActor, screen: Screen): Promise<SavedView[]> =>
  (await findViews(deps.db, screen, actor.staffId)).map((row) => toView(row, actor));

const nameTaken = (name: string) =>
  new AppError(409, `There is a view called “${name}” already. Choose another name.`, {
    code: "name_taken",
    field: "name",
  });

/** The content of a view. @throws AppError 400 for a filter that is not understood, 403 for a shared one of who may not share */
function contentOf(actor: StaffActor, screen: Screen, { isShared, ...input }: ViewInput): ViewContent {
  const { problems } = PARSERS[screen](input.query);
  if (problems.length > 0)
    throw new AppError(400, problems.map(({ message }) => message).join("\n"), {
      code: "bad_filter",
      field: "query",
      problems,
    });
  if (isShared && !changesShared(actor.grants)) throw notShared();
  return { ...input, staffId: isShared ? null : actor.staffId };
}

const notShared = () =>
  new AppError(403, "Only owners and managers of all markets change views that everyone sees.", { code: "forbidden" });

/** `work` in a transaction; a name that another request took meanwhile is taken. */
async function named<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, "saved_view_name")) throw nameTaken(name);
    throw error;
  }
}

/** @throws AppError 409 `name_taken`, 400, 403 */
export async function createView(
  ctx: Context,
  actor: StaffActor,
  screen: Screen,
  input: ViewInput,
): Promise<SavedView> {
  const content = contentOf(actor, screen, input);
  const { name } = content;
  const row = await named(name, async () =>
    transaction(ctx.deps.db, async (tx) => {
      if (await isNameTaken(tx, { screen, name, staffId: actor.staffId, exceptId: null })) throw nameTaken(name);
      const created = await insertView(tx, screen, content, ctx.now);
      await writeAuditEntry(tx, ctx, {
        action: "views create",
        subject: `view:${created.id}`,
        reason: "",
        data: { screen, after: logged(screen, input) },
      });
      return created;
    }),
  );
  return toView(row, actor);
}

/** A view that the person may change. @throws AppError 404, and 403 for one of the market */
async function viewToChange(ctx: Context, actor: StaffActor, screen: Screen, id: number): Promise<ViewRow> {
  const row = await findView(ctx.deps.db, screen, id, actor.staffId);
  if (!row) throw notFound();
  if (row.staff_id === null && !changesShared(actor.grants)) throw notShared();
  return row;
}

/** @throws AppError 409 `conflict` with the view as `current`, 409 `name_taken`, 404, 400, 403 */
export async function changeView(
  ctx: Context,
  actor: StaffActor,
  { screen, id }: { screen: Screen; id: number },
  { expectedVersion, ...input }: ViewInput & { expectedVersion: number },
): Promise<SavedView> {
  const before = await viewToChange(ctx, actor, screen, id);
  const content = contentOf(actor, screen, input);
  const { name } = content;
  const isChanged = await named(name, async () =>
    transaction(ctx.deps.db, async (tx) => {
      if (await isNameTaken(tx, { screen, name, staffId: actor.staffId, exceptId: id })) throw nameTaken(name);
      if (!(await updateView(tx, { id, version: expectedVersion }, content, ctx.now))) return false;
      await writeAuditEntry(tx, ctx, {
        action: "views change",
        subject: `view:${id}`,
        reason: "",
        data: { screen, before: loggedRow(before), after: logged(screen, input) },
      });
      return true;
    }),
  );
  const current = toView(await viewToChange(ctx, actor, screen, id), actor);
  if (!isChanged)
    throw new AppError(409, `“${current.name}” was changed meanwhile. Look at it, and save again.`, {
      code: "conflict",
      current,
    });
  return current;
}

/** Deletes a view; one that is gone, or of someone else, is no error. @throws AppError 403 for one of the market */
export async function deleteView(
  ctx: Context,
  actor: StaffActor,
  { screen, id }: { screen: Screen; id: number },
): Promise<void> {
  const row = await findView(ctx.deps.db, screen, id, actor.staffId);
  if (!row) return;
  if (row.staff_id === null && !changesShared(actor.grants)) throw notShared();
  await transaction(ctx.deps.db, async (tx) => {
    if (!(await removeView(tx, id))) return;
    await writeAuditEntry(tx, ctx, {
      action: "views delete",
      subject: `view:${id}`,
      reason: "",
      data: { screen, before: loggedRow(row) },
    });
  });
}
