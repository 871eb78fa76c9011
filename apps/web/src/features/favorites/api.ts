import { messageOf } from "@marketday/client/messages.ts";
import type { Session } from "@marketday/contracts/auth";
import * as calls from "@marketday/contracts/calls";
import { toast } from "@marketday/ui/toast-store.ts";
import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

import { call } from "../../lib/api.ts";
import { productsIn } from "../products/api.ts";
import { readShopper } from "../session/api.ts";
import { HeartQueue } from "./heart-queue.ts";

/** Every page of favorites (`queries.ts`). */
export const FAVORITES = ["favorites"] as const;

interface Hearts {
  /** Undefined for a product whose heart was not changed here: then it is as its list has it. */
  isFavorite: (productId: number) => boolean | undefined;
  /** `known`: what a list has of it. */
  set: (productId: number, on: boolean, known: boolean) => void;
  subscribe: (listener: () => void) => () => void;
}

/**
 * The hearts changed in this page, over what the lists have. The server's newest word about a product counts for every
 * list that shows it: its answer to a tap is newer than every list that was requested before, whenever that arrives, and a
 * list that was requested later replaces it, such as after another device took the heart away. They are of a customer: when
 * another one or no one is here, they are dropped, and an answer on its way changes nothing.
 */
function createHearts(client: QueryClient): Hearts {
  const listeners = new Set<() => void>();
  const notify = () => listeners.forEach((listener) => listener());
  // Requests and answers in their order. What was requested before this began is older than all of them.
  let step = 0;
  const requests = new WeakMap<Query, number>();

  let owner: Session["customerId"];
  let queue!: HeartQueue;
  /** By product. `at`: the step of the answer, or of the request of the list that it is from. */
  let answers!: Map<number, { isFavorite: boolean; at: number }>;
  const begin = () => {
    owner = readShopper(client).customerId;
    const own: typeof answers = (answers = new Map());
    queue = new HeartQueue({
      send: async (productId, on) => {
        const route = { params: { id: String(productId) } };
        const answer = on ? await call(calls.favoriteProduct, route) : await call(calls.unfavoriteProduct, route);
        return answer.isFavorite;
      },
      onAcknowledged: (id, isFavorite) => {
        own.set(id, { isFavorite, at: ++step });
        // A new heart comes into the list at once. One taken away stays until the list is opened again, so that a slip
        // can be undone where it happened.
        void client.invalidateQueries({ queryKey: FAVORITES, refetchType: isFavorite ? "active" : "none" });
      },
      onRefused: (_id, _on, error) => toast({ text: messageOf(error), tone: "error" }),
    });
    queue.subscribe(notify);
  };
  begin();

  client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    const { query, action } = event;
    if (action.type === "fetch") requests.set(query, ++step);
    if (action.type !== "success") return;
    if (readShopper(client).customerId !== owner) begin();
    const at = requests.get(query) ?? 0;
    // What is put into a list by hand is no newer than what was read before.
    for (const { id, isFavorite } of action.manual ? [] : productsIn(query))
      if ((answers.get(id)?.at ?? at) < at) answers.set(id, { isFavorite, at });
    notify();
  });

  return {
    isFavorite: (id) => queue.wanted(id) ?? answers.get(id)?.isFavorite,
    set: (id, on, known) => queue.set(id, on, answers.get(id)?.isFavorite ?? known),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const heartsByClient = new WeakMap<QueryClient, Hearts>();

/** The hearts of the app. */
export function heartsOf(client: QueryClient): Hearts {
  let hearts = heartsByClient.get(client);
  if (!hearts) heartsByClient.set(client, (hearts = createHearts(client)));
  return hearts;
}

/** Whether a product is a favorite, and what changes that. `known`: what its list has of it. */
export function useFavorite(id: number, known: boolean) {
  const hearts = heartsOf(useQueryClient());
  const isFavorite = useSyncExternalStore(hearts.subscribe, () => hearts.isFavorite(id)) ?? known;
  return [isFavorite, (on: boolean) => hearts.set(id, on, known)] as const;
}
