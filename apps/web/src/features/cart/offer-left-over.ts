import * as calls from "@marketday/contracts/calls";
import { lineKey } from "@marketday/domain/cart";
import { dismissToast, toast } from "@marketday/ui/toast-store.ts";

import { ApiError, call } from "../../lib/api.ts";
import { keepLeftOvers, type LeftOver, leftOvers } from "./left-over.ts";
import type { Intent } from "./project.ts";

/** Whether the market still sells it. True without an answer: the server decides when it is added. */
async function isSold({ productId, variantId }: Intent): Promise<boolean> {
  try {
    const { variants } = await call(calls.getProduct, { params: { id: String(productId) }, querystring: {} });
    return variants.some(({ id, inventory }) => id === variantId && inventory > 0);
  } catch (error) {
    return !(error instanceof ApiError) || error.status !== 404;
  }
}

let shown: number | null = null;

/**
 * Offers the taps of an ordered cart for the next one. The offer is kept in the tab until it is taken or closed; it ends when the
 * delivery it was first made for is closed, and for each product when the market does not sell it any more. `add`: into the cart.
 */
export async function offerLeftOvers(add: (intent: Intent) => void): Promise<void> {
  const [cart, sold] = await Promise.all([
    call(calls.getCart).catch(() => null),
    Promise.all(leftOvers().map(async ({ intent }) => ((await isSold(intent)) ? [] : [lineKey(intent)]))),
  ]);
  const gone = new Set(sold.flat());
  const day = cart?.deliveryDate ?? null;
  const isValid = ({ intent, deliveryDate }: LeftOver) =>
    !gone.has(lineKey(intent)) && (deliveryDate === null || day === null || deliveryDate === day);
  // Read again: there may be more by now. The last tap on a line counts.
  const byLine = new Map(leftOvers().map((leftOver) => [lineKey(leftOver.intent), leftOver]));
  const offered = [...byLine.values()].filter(isValid);
  keepLeftOvers(offered.map((leftOver) => ({ ...leftOver, deliveryDate: leftOver.deliveryDate ?? day })));
  if (shown !== null) dismissToast(shown);
  if (offered.length === 0) return;
  shown = toast({
    text: `Not saved: ${offered.map(({ intent }) => intent.item.product.title).join(", ")}. Your last cart was ordered.`,
    tone: "error",
    action: {
      label: "Add",
      run: () => {
        const taken = leftOvers();
        keepLeftOvers([]);
        for (const { intent } of taken) add(intent);
      },
    },
    onClose: () => keepLeftOvers([]),
  });
}
