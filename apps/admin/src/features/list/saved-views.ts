import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { SavedView } from "@marketday/contracts/admin/order-list";
import { toast } from "@marketday/ui/toast-store.ts";
import { queryOptions, useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/list";

import { call } from "../../lib/api.ts";
import { UNDO_MS } from "../actions/shown-actions.ts";

/** A list with views. */
export type ViewScreen = SavedView["screen"];

/** A tab of a list: a filter, and what else the list holds. */
export interface NamedView {
  /** `all`, `due`, …; of a saved one `v12`. */
  key: string;
  name: string;
  q: string;
  /** Null: one of the market's own. */
  saved: SavedView | null;
}

/** What a view holds besides its name. */
export type Holds = Pick<SavedView, "query" | "sort" | "columns">;

/** The key of a saved view in an address. */
export const savedKey = ({ id }: SavedView): string => `v${id}`;

/** The views that were saved for a list: those of everyone, then one's own. */
export const viewsQuery = (screen: ViewScreen) =>
  queryOptions({
    queryKey: ["views", screen],
    queryFn: ({ signal }) => call(calls.listViews, { params: { screen } }, { signal }),
  });

/** The view of an address: the one that it names, else the one with its filter, else the first. `canonical`: a filter as it is compared. */
export const viewOf = <View extends NamedView>(
  views: readonly View[],
  { view, q }: { view: string | null; q: string },
  canonical: (q: string) => string,
): View => views.find(({ key }) => key === view) ?? views.find((one) => canonical(one.q) === canonical(q)) ?? views[0]!;

/** The view as it is now, from the refusal of a change of an older version; null: it failed otherwise. */
const currentView = (error: unknown): SavedView | null =>
  error instanceof ApiError && error.code === "conflict" ? ((error.details["current"] as SavedView) ?? null) : null;

/** Why a view was not saved. */
export const viewFailure = (error: unknown): string => (currentView(error) ? t.viewConflict : messageOf(error));

const bodyOf = ({ name, query, sort, columns, isShared }: SavedView) => ({ name, query, sort, columns, isShared });

/** Changes of saved views that need no dialog. */
export function useViewWrites(screen: ViewScreen) {
  const client = useQueryClient();
  /** A failure is a toast; the views are read again in any case. */
  const write = async (send: () => Promise<unknown>, done: () => void): Promise<void> => {
    try {
      await send();
      done();
    } catch (error) {
      toast({ text: viewFailure(error), tone: "error" });
    } finally {
      await client.invalidateQueries({ queryKey: viewsQuery(screen).queryKey });
    }
  };
  return {
    /** Makes the view hold what is shown. */
    update: (view: SavedView, holds: Holds): Promise<void> => {
      const body = { ...bodyOf(view), ...holds, expectedVersion: view.version };
      return write(
        () => call(calls.putView, { params: { screen, id: view.id }, body }),
        () => toast({ text: t.viewSaved(view.name) }),
      );
    },
    /** Deletes the view; Undo saves it again. */
    remove: (view: SavedView): Promise<void> => {
      const restore = () =>
        void write(
          () => call(calls.createView, { params: { screen }, body: bodyOf(view) }),
          () => toast({ text: t.viewRestored(view.name) }),
        );
      return write(
        () => call(calls.deleteView, { params: { screen, id: view.id } }),
        () =>
          toast({
            text: t.viewDeleted(view.name),
            duration: UNDO_MS,
            action: { label: t.undo, run: restore },
          }),
      );
    },
  };
}
