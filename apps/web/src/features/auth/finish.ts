import * as calls from "@marketday/contracts/calls";
import { toast } from "@marketday/ui/toast-store.ts";

import { call } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import type { Unfinished } from "../../navigation/modals.ts";

/**
 * Completes the action that a guest started, now that the session is a customer's, before the app refetches everything.
 * A failure is shown, but does not undo the login.
 */
export async function finish(unfinished: Unfinished | undefined): Promise<void> {
  if (!unfinished) return;
  try {
    if ("favorite" in unfinished) await call(calls.favoriteProduct, { params: { id: String(unfinished.favorite) } });
    else await call(calls.followVendor, { params: { id: String(unfinished.follow) } });
  } catch (error) {
    toast({ text: error instanceof Error ? error.message : messages.network, tone: "error" });
  }
}

/** The same unfinished thing for the other form. */
export const onward = (unfinished: Unfinished | undefined) => (unfinished ? { unfinished } : {});
