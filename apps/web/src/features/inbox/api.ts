import { cacheAnswer } from "@marketday/client/query-client.ts";
import * as calls from "@marketday/contracts/calls";
import type { Thread } from "@marketday/contracts/inbox";
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";

import { call, callPaged } from "../../lib/api.ts";
import { sessionKeys, useShopper } from "../session/api.ts";

const inboxKeys = {
  list: (customerId: number | string | null, page: number) => ["inbox", "list", customerId, page] as const,
  lists: ["inbox", "list"] as const,
  thread: (customerId: number | string | null, id: string) => ["inbox", "thread", customerId, id] as const,
};

/** A page of the customer's threads, five a page (spec §7.10). */
export function useThreads(page: number) {
  const { customerId, isRegistered } = useShopper();
  return useQuery({
    queryKey: inboxKeys.list(customerId, page),
    queryFn: ({ signal }) => callPaged(calls.listThreads, { querystring: {} }, { signal, page }),
    enabled: isRegistered,
    placeholderData: keepPreviousData,
  });
}

/** A thread with its messages. Refetched each time it is opened. */
export function useThread(id: string) {
  const { customerId, isRegistered } = useShopper();
  return useQuery({
    queryKey: inboxKeys.thread(customerId, id),
    queryFn: ({ signal }) => call(calls.getThread, { params: { id } }, { signal }),
    enabled: isRegistered,
    refetchOnMount: "always",
  });
}

/** Updates an answered thread in the cache. The list and the number in the More menu are refetched in the background. */
function adopt(client: QueryClient, customerId: number | string | null, thread: Thread): void {
  cacheAnswer(client, inboxKeys.thread(customerId, String(thread.id)), thread);
  for (const queryKey of [inboxKeys.lists, sessionKeys.current]) void client.invalidateQueries({ queryKey });
}

/** The three things one does with threads; each throws ApiError. */
export function useInboxActions() {
  const client = useQueryClient();
  const { customerId } = useShopper();
  return {
    reply: async (id: number, reply: string, idempotencyKey: string): Promise<void> =>
      adopt(
        client,
        customerId,
        await call(calls.replyToThread, { params: { id }, body: { reply } }, { idempotencyKey }),
      ),
    markRead: async (id: number): Promise<void> =>
      adopt(client, customerId, await call(calls.readThread, { params: { id } })),
    /** Starts or continues the thread with a vendor; gives its id. */
    messageVendor: async (vendor: string, message: string): Promise<number> => {
      const thread = await call(calls.messageVendor, { params: { id: vendor }, body: { message } });
      adopt(client, customerId, thread);
      return thread.id;
    },
  };
}
