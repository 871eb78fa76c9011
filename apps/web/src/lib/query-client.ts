import { QueryClient } from "@tanstack/react-query";

import { ApiError } from "./api.ts";

/** A refusal stays one; a busy server gets one more try, a lost connection two. */
const retry = (failures: number, error: Error): boolean => {
  if (!(error instanceof ApiError)) return false;
  if (error.isOffline) return failures < 2;
  return (error.status ?? 0) >= 500 && failures < 1;
};

/** One client for the whole app. Reads are tried even when the browser says it is offline: caches may know. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
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
