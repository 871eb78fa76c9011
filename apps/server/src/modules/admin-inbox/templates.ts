import type { ReplyTemplate } from "@marketday/contracts/admin/inbox";
import { transaction, type Tx } from "@marketday/db";

import { AppError, notFound } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { findTemplate, findTemplateNamed, insertTemplate, removeTemplate, updateTemplate } from "./store.ts";

const taken = () => new AppError(409, "Another template has this name.", { code: "taken", field: "name" });
const changed = (current: ReplyTemplate) =>
  new AppError(409, "This template was changed meanwhile.", { code: "conflict", current });
const changedOrGone = async (tx: Tx, id: number): Promise<AppError> => {
  const current = await findTemplate(tx, id);
  return current ? changed(current) : notFound();
};

/** @throws AppError 409 `taken`, except for the same name and text: a repeated request */
export const createTemplate = (ctx: Context, template: { name: string; text: string }): Promise<ReplyTemplate> =>
  transaction(ctx.deps.db, async (tx) => {
    const row = await insertTemplate(tx, { ...template, now: ctx.now });
    if (!row) {
      const same = await findTemplateNamed(tx, template.name);
      if (same?.text === template.text) return same;
      throw taken();
    }
    await writeAuditEntry(tx, ctx, {
      action: "inbox template",
      subject: `template:${row.id}`,
      reason: "",
      data: { after: template },
    });
    return row;
  });

/** @throws AppError 404; 409 `taken`; 409 `conflict` with the template as `current`, except for the same name and text */
export const putTemplate = (
  ctx: Context,
  id: number,
  { name, text, expectedVersion }: { name: string; text: string; expectedVersion: number },
): Promise<ReplyTemplate> =>
  transaction(ctx.deps.db, async (tx) => {
    const before = await findTemplate(tx, id);
    if (!before) throw notFound();
    if (before.name === name && before.text === text) return before;
    if (before.version !== expectedVersion) throw changed(before);
    const same = await findTemplateNamed(tx, name);
    if (same && same.id !== id) throw taken();
    const row = await updateTemplate(tx, before, { name, text, now: ctx.now });
    if (!row) throw await changedOrGone(tx, id);
    await writeAuditEntry(tx, ctx, {
      action: "inbox template",
      subject: `template:${id}`,
      reason: "",
      data: { before: { name: before.name, text: before.text }, after: { name, text } },
    });
    return row;
  });

/** Twice is once. @throws AppError 409 `conflict` with the template as `current` */
export const deleteTemplate = (
  ctx: Context,
  id: number,
  { expectedVersion }: { expectedVersion: number },
): Promise<void> =>
  transaction(ctx.deps.db, async (tx) => {
    const before = await findTemplate(tx, id);
    if (!before) return;
    if (before.version !== expectedVersion) throw changed(before);
    if (!(await removeTemplate(tx, before))) {
      const current = await findTemplate(tx, id);
      if (current) throw changed(current);
      return;
    }
    await writeAuditEntry(tx, ctx, {
      action: "inbox template",
      subject: `template:${id}`,
      reason: "",
      data: { before: { name: before.name, text: before.text }, after: null },
    });
  });
