import type { Today } from "@marketday/contracts/admin/today";
import { useQuery } from "@tanstack/react-query";

import { hasPermission, useMe } from "../session/api.ts";
import { todayQuery } from "../today/api.ts";

export interface Week {
  /** Every row of the board, of all markets. */
  rows: Today["rows"];
  /** The same; undefined until they are known. */
  days: Today["rows"] | undefined;
  health: Today["health"] | undefined;
  isFailed: boolean;
  refetch: () => void;
}

/** The delivery days of all markets, for the frame: one cached read. Nothing for a person who may not see orders. */
export function useWeek(): Week {
  const me = useMe();
  const { data, isLoadingError, refetch } = useQuery({
    ...todayQuery(null),
    enabled: hasPermission(me, "orders.read"),
  });
  return {
    rows: data?.rows ?? [],
    days: data?.rows,
    health: data?.health,
    isFailed: isLoadingError,
    refetch: () => void refetch(),
  };
}
