import type { AnyTx } from "@marketday/db";
import { OFFER_FIELDS } from "@marketday/domain/offer-fields";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import { ImportRefused } from "../../lib/file-problem.ts";
import type { Context } from "../identity/context.ts";
import type { ActionRow } from "../staff-actions/store.ts";
import { type CellChange, checkAccess, findConflicts, rowsOf, writeCells } from "./save-cells.ts";

const EditInput = z.object({
  cells: z.array(
    z.object({
      offerId: z.number(),
      variantId: z.number(),
      productId: z.number(),
      field: z.enum(OFFER_FIELDS),
      from: z.string(),
      to: z.string(),
    }),
  ),
});

const refused = (message: string) => new AppError(409, message, { code: "changed_since" });

/**
 * Puts the cells of a save back: all or none.
 * @throws AppError 403 for a market that the person may no longer change; 409 `changed_since` when one was changed or sold from since, or can no longer be what it was
 */
export async function reverseEdit(
  ctx: Context,
  action: ActionRow,
  complete: (tx: AnyTx) => Promise<void>,
): Promise<void> {
  const back = EditInput.parse(action.input).cells.map(({ offerId, field, from, to }): CellChange => ({
    offerId,
    field,
    from: to,
    to: from,
  }));
  const { actor } = ctx;
  const rows = await rowsOf(ctx, back);
  if (actor.type === "staff") checkAccess(actor, back, rows);
  if (back.some(({ offerId }) => !rows.has(offerId)))
    throw refused("A product of this change is no longer in the market, so it is not undone.");
  try {
    await writeCells(ctx, back, [...rows.values()], {
      accepted: "all",
      action: "offers edit undo",
      guard: async (_, now) => {
        const [changed] = findConflicts(
          back.map((cell) => ({ ...cell, to: cell.from })),
          now,
        );
        if (changed)
          throw refused(
            `${rows.get(changed.offerId)!.title} was changed since, so this is not undone. Change it in the grid.`,
          );
      },
      onWritten: async (tx) => {
        await complete(tx);
        return action.id;
      },
    });
  } catch (error) {
    if (error instanceof ImportRefused) throw refused("What it was before is no longer allowed, so it is not undone.");
    throw error;
  }
}
