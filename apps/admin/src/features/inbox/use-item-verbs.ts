import { useAction } from "@marketday/client/forms/use-action.ts";
import { messageOf } from "@marketday/client/messages.ts";
import type { StaffAction } from "@marketday/contracts/admin/actions";
import * as calls from "@marketday/contracts/admin/calls";
import type { InboxItem } from "@marketday/contracts/admin/inbox";
import { isModerated } from "@marketday/domain/inbox-turn";
import { useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/inbox";

import { call } from "../../lib/api.ts";
import { cacheAction, rereadActions } from "../actions/api.ts";
import { cacheItem, currentItem } from "./api.ts";

/** Closing, opening again, hiding and showing again. `onDone` runs when the server has done it. */
export function useItemVerbs({ kind, id, version }: InboxItem) {
  const client = useQueryClient();
  const { attempt, running, error } = useAction();
  type Written = { item: InboxItem; action: StaffAction | null };
  const write = async (name: string, send: () => Promise<Written>, onDone?: () => void): Promise<void> => {
    const done = await attempt(
      name,
      async () => {
        try {
          const { item, action } = await send();
          cacheItem(client, item);
          if (action) cacheAction(client, action);
          return true;
        } catch (cause) {
          const current = currentItem(cause);
          if (current) cacheItem(client, current);
          throw cause;
        } finally {
          void rereadActions(client);
        }
      },
      (cause) => (currentItem(cause) ? t.movedOn : messageOf(cause)),
    );
    if (done) onDone?.();
  };
  return {
    running,
    error,
    close: (isClosed: boolean, reason: string, onDone?: () => void): void =>
      void write(
        "close",
        () => call(calls.closeInbox, { params: { kind, id }, body: { isClosed, reason, expectedVersion: version } }),
        onDone,
      ),
    hide: (part: "text" | "answer", isHidden: boolean, reason: string, onDone?: () => void): void => {
      if (!isModerated(kind)) return;
      void write(
        "hide",
        () =>
          call(calls.hideInbox, { params: { kind, id }, body: { part, isHidden, reason, expectedVersion: version } }),
        onDone,
      );
    },
  };
}
