import * as calls from "@marketday/contracts/calls";
import { toast } from "@marketday/ui/toast-store.ts";
import type { QueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { patchProduct } from "../products/api.ts";
import { HeartQueue } from "./heart-queue.ts";

/** Every page of favorites (`queries.ts`). */
export const FAVORITES = ["favorites"] as const;

const queues = new WeakMap<QueryClient, HeartQueue>();

/** The hearts on their way, one queue for the app. */
export function heartsOf(client: QueryClient): HeartQueue {
  const known = queues.get(client);
  if (known) return known;
  const queue = new HeartQueue({
    send: async (productId, on) => {
      const route = { params: { id: String(productId) } };
      const answer = on ? await call(calls.favoriteProduct, route) : await call(calls.unfavoriteProduct, route);
      return answer.isFavorite;
    },
    onAcknowledged: (id, isFavorite) => {
      patchProduct(client, id, { isFavorite });
      // A new heart comes into the list at once. One taken away stays until the list is opened again, so that a slip
      // can be undone where it happened.
      void client.invalidateQueries({ queryKey: FAVORITES, refetchType: isFavorite ? "active" : "none" });
    },
    onRefused: (_id, _on, error) =>
      toast({ text: error instanceof Error ? error.message : messages.network, tone: "error" }),
  });
  queues.set(client, queue);
  return queue;
}
