import * as calls from "@marketday/contracts/admin/calls";
import type { TodayRow } from "@marketday/contracts/admin/today";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { matchPath, useNavigate } from "react-router";

import { call } from "../../lib/api.ts";
import { paths } from "../../lib/paths.ts";
import { useHubFilter } from "../shell/hub-filter.ts";

/** Whether the next thing of a day is done on the screen of that day. */
export const isSheetsAction = ({ next }: TodayRow): boolean =>
  next.kind === "create_sheets" || next.kind === "renew_sheets";

/** Makes a day's sheets and opens the day, where they are printed; someone who has left Today meanwhile stays where they are. */
export function useSheets({ hub, day }: TodayRow) {
  const navigate = useNavigate();
  const { to } = useHubFilter();
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(calls.createSheets, { params: { hub: hub.slug, date: day }, body: {} }),
    onSuccess: async () => {
      void client.invalidateQueries({ queryKey: ["today"] });
      void client.invalidateQueries({ queryKey: ["day"] });
      if (matchPath(paths.today, location.pathname)) await navigate(to(paths.day(hub.slug, day)));
    },
  });
  return {
    create: () => {
      if (!isPending) mutate();
    },
    isPending,
    error,
  };
}
