import { messageOf } from "@marketday/client/messages.ts";
import { cacheAnswer } from "@marketday/client/query-client.ts";
import { ApiError } from "@marketday/client/transport.ts";
import type { DaySheets } from "@marketday/contracts/admin/days";
import { announce } from "@marketday/ui/live-region.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/day";

import { createSheets, dayQuery } from "./api.ts";

/** Without an answer the server may have made them, or may still. */
const failureOf = (error: Error): string =>
  error instanceof ApiError && error.isOffline ? t.unknown : t.failed(messageOf(error));

/** Makes the sheets of a day. `failure`: why there are none, in sentences. `onMade` runs when they are ready. */
export function useCreateSheets(hub: string, date: string, onMade: () => void) {
  const client = useQueryClient();
  const { queryKey } = dayQuery(hub, date);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (drivers: number) => createSheets(hub, date, drivers),
    onSuccess: (day: DaySheets) => {
      cacheAnswer(client, queryKey, day);
      void client.invalidateQueries({ queryKey: ["today"] });
      announce(t.madeAnnouncement(day.versions[0]?.version ?? 1));
      onMade();
    },
    // A version may have been frozen although its files could not be written.
    onError: () => void client.invalidateQueries({ queryKey }),
  });
  return {
    create: (drivers: number) => {
      if (!isPending) mutate(drivers);
    },
    isMaking: isPending,
    failure: error && failureOf(error),
  };
}
