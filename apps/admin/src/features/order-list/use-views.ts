import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { SavedView } from "@marketday/contracts/admin/order-list";
import { dateInZone } from "@marketday/domain/calendar-date";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";

import * as t from "#messages/order-list";

import { call } from "../../lib/api.ts";
import { UNDO_MS } from "../actions/shown-actions.ts";
import { useMe } from "../session/api.ts";
import { useWeek } from "../shell/use-week.ts";
import { currentView, viewsQuery } from "./api.ts";
import { builtInViews, type ListView, nextDays, savedViewOf } from "./views.ts";

/** The market's own views, then the saved ones. `hub`: slug of the market of the frame. */
export function useListViews(hub: string | null): ListView[] {
  const me = useMe();
  const week = useWeek();
  const zone = (me.hubs.find(({ slug }) => slug === hub) ?? me.hubs[0])?.timeZone ?? "UTC";
  const today = dateInZone(useMarketNow(), zone);
  const { data: saved } = useQuery(viewsQuery);
  return useMemo(
    () => [...builtInViews(nextDays(week.rows, hub, today)), ...(saved ?? []).map(savedViewOf)],
    [week.rows, hub, today, saved],
  );
}

type Holds = Pick<SavedView, "query" | "sort" | "columns">;

/** Changes of saved views that need no dialog. */
export function useViewWrites() {
  const client = useQueryClient();
  const reread = () => client.invalidateQueries({ queryKey: viewsQuery.queryKey });
  const fail = (error: unknown) =>
    toast({ text: currentView(error) ? t.viewConflict : messageOf(error), tone: "error" });
  const bodyOf = ({ name, query, sort, columns, isShared }: SavedView) => ({ name, query, sort, columns, isShared });
  return {
    /** Makes the view hold what is shown. */
    update: async (view: SavedView, holds: Holds): Promise<void> => {
      try {
        await call(calls.putView, {
          params: { screen: "orders", id: view.id },
          body: { ...bodyOf(view), ...holds, expectedVersion: view.version },
        });
        toast({ text: t.viewSaved(view.name) });
      } catch (error) {
        fail(error);
      } finally {
        await reread();
      }
    },
    /** Deletes the view; Undo saves it again. */
    remove: async (view: SavedView): Promise<void> => {
      const restore = async () => {
        try {
          await call(calls.createView, { params: { screen: "orders" }, body: bodyOf(view) });
          toast({ text: t.viewRestored(view.name) });
        } catch (error) {
          fail(error);
        } finally {
          await reread();
        }
      };
      try {
        await call(calls.deleteView, { params: { screen: "orders", id: view.id } });
        toast({
          text: t.viewDeleted(view.name),
          duration: UNDO_MS,
          action: { label: t.undo, run: () => void restore() },
        });
      } catch (error) {
        fail(error);
      } finally {
        await reread();
      }
    },
  };
}
