import { useSettled } from "@marketday/client/use-settled.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { type Count, planQuery, type ShortPlan } from "./api.ts";

/** From the last change until what it costs is requested, ms. */
const PAUSE_MS = 150;

/**
 * What a count costs, read from the server after each change; an answer to an older one is dropped. `plan`: the last one, whose boxes stay
 * while the next is read; `isCurrent`: it is that of the count. `count` null: it cannot be planned as it is, and nothing is requested.
 */
export function usePlan(hub: string, date: string, count: Omit<Count, "reason"> | null) {
  const wanted = count && JSON.stringify({ ...count, reason: undefined });
  const settled = useSettled(wanted, PAUSE_MS);
  const { data, error, refetch, isFetching } = useQuery({
    ...planQuery(hub, date, JSON.parse(settled ?? "{}") as Omit<Count, "reason">),
    enabled: settled !== null,
  });
  const [last, setLast] = useState<ShortPlan | undefined>(data);
  if (data && data !== last) setLast(data);
  const isOfCount = wanted !== null && wanted === settled;
  return {
    plan: data ?? last,
    isCurrent: isOfCount && data !== undefined && error === null,
    error: isOfCount && !isFetching ? error : null,
    retry: () => void refetch(),
  };
}
