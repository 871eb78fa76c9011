import { messageOf } from "@marketday/client/messages.ts";
import { cacheAnswer } from "@marketday/client/query-client.ts";
import { ApiError } from "@marketday/client/transport.ts";
import type { DaySheets } from "@marketday/contracts/admin/days";
import { announce } from "@marketday/ui/live-region.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/day";

import { createSheets, dayQuery, findCurrent } from "./api.ts";

/** Without an answer the server may have made them, or may still. What someone else has made meanwhile is no failure. */
function failureOf(error: Error): string {
  if (findCurrent(error)) return messageOf(error);
  return error instanceof ApiError && error.isOffline ? t.unknown : t.failed(messageOf(error));
}

/**
 * Makes the sheets of a day. `failure`: the sentence to show. When someone else has made some meanwhile, the day is shown as it is
 * now. `onMade` runs when they are ready, with the number of drivers that was sent.
 */
export function useCreateSheets(day: DaySheets, onMade: (drivers: number | undefined) => void) {
  const client = useQueryClient();
  const { queryKey } = dayQuery(day.hub.slug, day.day);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (drivers: number | undefined) => createSheets(day, drivers),
    onSuccess: (made: DaySheets, drivers) => {
      cacheAnswer(client, queryKey, made);
      void client.invalidateQueries({ queryKey: ["today"] });
      announce(t.madeAnnouncement(made.versions[0]?.version ?? 1));
      onMade(drivers);
    },
    onError: (cause) => {
      const current = findCurrent(cause);
      if (current) cacheAnswer(client, queryKey, current);
      // A version may have been frozen although its files could not be written.
      else void client.invalidateQueries({ queryKey });
    },
  });
  return {
    /** Without a number of drivers, it stays. */
    create: (drivers: number | undefined) => {
      if (!isPending) mutate(drivers);
    },
    isMaking: isPending,
    failure: error && failureOf(error),
  };
}
