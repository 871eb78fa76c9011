import type { ReplyTemplate } from "@marketday/contracts/admin/inbox";
import { transaction } from "@marketday/db";

import { AppError, notFound } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { findTemplateNamed, insertTemplate, removeTemplate, updateTemplate } from "./store.ts";

const taken = () => new AppError(409, "Another template has this name.", { code: "taken", field: "name" });

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

/** @throws AppError 404; 409 `taken` */
export const putTemplate = (
  ctx: Context,
  id: number,
  template: { name: string; text: string },
): Promise<ReplyTemplate> =>
  transaction(ctx.deps.db, async (tx) => {
    const same = await findTemplateNamed(tx, template.name);
    if (same && same.id !== id) throw taken();
    const row = await updateTemplate(tx, id, { ...template, now: ctx.now });
    if (!row) throw notFound();
    await writeAuditEntry(tx, ctx, {
      action: "inbox template",
      subject: `template:${id}`,
      reason: "",
      data: { after: template },
    });
    return row;
  });

/** Twice is once. */
export const deleteTemplate = (ctx: Context, id: number): Promise<void> =>
  transaction(ctx.deps.db, async (tx) => {
    const row = await removeTemplate(tx, id);
    if (!row) return;
    await writeAuditEntry(tx, ctx, {
      action: "inbox template",
      subject: `template:${id}`,
      reason: "",
      data: { before: { name: row.name, text: row.text }, after: null },
    });
  });
