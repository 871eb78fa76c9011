import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationObserver,
  notifyManager,
  QueryClient,
  type QueryKey,
  type Updater,
} from "@tanstack/react-query";

/** An `ApiError` that is a refusal stays one; a busy server gets one more try, a lost connection two. */
const retry = (failures: number, { name, status }: Error & { status?: number }): boolean => {
  if (name !== "ApiError") return false;
  return status === undefined ? failures < 2 : status >= 500 && failures < 1;
};

// In the task of the event: one task later, a control that is being saved would first show its old value again.
notifyManager.setScheduler(queueMicrotask);

/**
 * A client in which no read on screen that began before `invalidateQueries` answers after it. The library lets a first read finish.
 */
export class AppQueryClient extends QueryClient {
  override invalidateQueries<K extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<K>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const reread = filters?.refetchType ?? filters?.type ?? "active";
    if (reread !== "none" && reread !== "inactive" && options?.cancelRefetch !== false)
      for (const query of this.getQueryCache().findAll(filters))
        if (query.isActive() && query.state.data === undefined) void query.cancel({ silent: true });
    return super.invalidateQueries(filters, options);
  }
}

/** One client for the whole page. Reads are tried even when the browser says it is offline: caches may know. */
export const queryClient = new AppQueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      gcTime: 30 * 60_000,
      networkMode: "offlineFirst",
      retry,
      refetchOnWindowFocus: false,
    },
    mutations: { networkMode: "offlineFirst", retry: false },
  },
});

/** A write that has been sent is a mutation until it is answered: `queryClient.isMutating()` counts it. */
export const trackWrite = <T>(sent: Promise<T>): Promise<T> =>
  new MutationObserver(queryClient, { mutationFn: () => sent, gcTime: 0 }).mutate();

/** Caches what a write answered. A read that began before it is dropped: its answer may be older. */
export function cacheAnswer<T>(
  client: QueryClient,
  queryKey: QueryKey,
  answer: Updater<T | undefined, T | undefined>,
): void {
  void client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<T>(queryKey, answer);
}
