import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import { readItem } from "./read-inbox.ts";
import type { ItemRef } from "./scopes.ts";

/** In a transaction: the item is not as the person saw it, or is being answered. */
class ItemChanged extends Error {}
export const itemChanged = (): ItemChanged => new ItemChanged();

/** Runs a write; when the item had changed, 409 `conflict` with the item as it is now. */
export async function withCurrent<T>(ctx: Context, which: ItemRef, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ItemChanged)) throw error;
    const current = await readItem(ctx, which);
    throw new AppError(409, "This was answered or changed meanwhile. Nothing was sent; your text is kept.", {
      code: "conflict",
      current,
    });
  }
}
