import { readFile } from "node:fs/promises";

import { type Client, transaction } from "@marketday/db";
import { DATA_EXPORT_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";

import { withClientDryRun } from "../../lib/dry-run.ts";
import { newToken, sha256 } from "../../lib/tokens.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { asCustomerId, type Context, type CustomerId } from "../identity/context.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { photoPath } from "../problems/photos.ts";
import { findAddressesOf } from "./email-change-sql.ts";
import { readTables } from "./export-sql.ts";
import { findPhotosOf, hasOpenExport, insertExport, markSecret, redeemExport } from "./export-store.ts";

/** Mails a customer the link to their data; it works for a day (docs/product.md §3). */
export async function exportAccount({ deps, now }: Context, customerId: CustomerId): Promise<void> {
  const token = newToken();
  const tokenHash = sha256(token);
  await transaction(deps.db, async (tx) => {
    await insertExport(tx, { tokenHash, customerId, now, expiresAt: addMs(now, DATA_EXPORT_MS) });
    await enqueueMail(tx, {
      key: `data-export:${tokenHash}`,
      template: "data-export",
      customerId,
      data: { token },
      now,
    });
    await markSecret(tx, `data-export:${tokenHash}`);
  });
}

/** Whether a data link still works. Changes nothing. */
export const isExportOpen = (db: Client, token: string, now: Date): Promise<boolean> =>
  hasOpenExport(db, sha256(token), now);

/** The customer of a data link: once, within a day (failures.md L1). */
export async function openExport(db: Client, token: string, now: Date): Promise<CustomerId | null> {
  const row = await redeemExport(db, sha256(token), now);
  return row && asCustomerId(row.customer_id);
}

/** The pictures of their problem reports, as JPEG in base64; null where the file is missing. */
async function photosOf(db: Client, dataDir: string, customerId: CustomerId) {
  const photos = await findPhotosOf(db, customerId);
  return Promise.all(
    photos.map(async ({ report_id, file }) => ({
      report_id,
      file,
      jpeg: await readFile(photoPath(dataDir, file), "base64").catch(() => null),
    })),
  );
}

/** Everything the market stores about one customer, as one JSON document: its tables by name (failures.md L1). */
export async function collectData(
  db: Client,
  dataDir: string,
  customerId: CustomerId,
  now: Date,
): Promise<Record<string, unknown>> {
  return {
    made: now.toISOString(),
    ...(await readTables(db, customerId, await findAddressesOf(db, customerId))),
    problem_photo: await photosOf(db, dataDir, customerId),
  };
}

/** Exports a customer's data for an operator (docs/product.md §14 `customers export`), with an audit entry. */
export const exportByHand = (ctx: Context, customerId: CustomerId, reason: string, dryRun: boolean) =>
  withClientDryRun(ctx.deps.db, dryRun, async (tx) => {
    const data = await collectData(tx, ctx.deps.env.dataDir, customerId, ctx.now);
    await writeAuditEntry(tx, ctx, { action: "customers export", subject: `customer:${customerId}`, reason });
    return data;
  });
