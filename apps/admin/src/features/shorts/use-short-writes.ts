import { messageOf } from "@marketday/client/messages.ts";
import { cacheAnswer } from "@marketday/client/query-client.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { announce } from "@marketday/ui/live-region.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import * as t from "#messages/shorts";

import { call } from "../../lib/api.ts";
import { cacheAction } from "../actions/api.ts";
import { RequestKeys } from "../session/request-key.ts";
import { type Count, type DayItem, type DayShorts, findCurrent, findOpen, type Shortage, shortsQuery } from "./api.ts";
import { type CountForm, countOf, formOf, isSameForm } from "./count-form.ts";
import type { Drafts } from "./use-drafts.ts";

type Write = "save" | "settle" | "remove";

/** What is sent for an item. */
interface Edit {
  item: DayItem;
  form: CountForm;
  came: number;
  /** What is saved, as the person sees it. */
  saved: Shortage | undefined;
  /** The version over which they typed; null: over none. */
  over: number | null;
}

export type ShortWrites = ReturnType<typeof useShortWrites>;

/**
 * Saves, settles and removes the counts of a day's items, each one once at a time. What failed is kept by item: it is there when the item is
 * opened again.
 */
export function useShortWrites({ hub, day }: Pick<DayShorts, "hub" | "day">, drafts: Drafts) {
  const client = useQueryClient();
  const params = { hub: hub.slug, date: day };
  const [running, setRunning] = useState<Readonly<Record<number, Write | null>>>({});
  const busy = useRef(new Set<number>());
  const [failures, setFailures] = useState<Readonly<Record<number, string | null>>>({});
  const keys = useRef(new RequestKeys());

  const fail = (variantId: number, failure: string | null) =>
    setFailures((before) => ({ ...before, [variantId]: failure }));
  const adopt = (answer: DayShorts) => {
    for (const key of new Set([hub.slug, String(hub.id), answer.hub.slug]))
      if (client.getQueryData(shortsQuery(key, day).queryKey))
        cacheAnswer(client, shortsQuery(key, day).queryKey, answer);
  };

  /** Runs one write of an item. Whether it was done. */
  const run = async (
    variantId: number,
    write: Write,
    does: () => Promise<void>,
    wording: (reason: string) => string,
  ): Promise<boolean> => {
    if (busy.current.has(variantId)) return false;
    busy.current.add(variantId);
    setRunning((before) => ({ ...before, [variantId]: write }));
    fail(variantId, null);
    try {
      await does();
      return true;
    } catch (error) {
      const current = findCurrent(error);
      if (current) adopt(current);
      const isUnknown = error instanceof ApiError && error.isOffline && write === "settle";
      fail(variantId, isUnknown ? t.unknown : wording(messageOf(error)));
      if (!current) void client.invalidateQueries({ queryKey: ["day"] });
      return false;
    } finally {
      busy.current.delete(variantId);
      setRunning((before) => ({ ...before, [variantId]: null }));
      void client.invalidateQueries({ queryKey: ["today"] });
    }
  };

  /** Saves a count. The same count that someone else, or a request whose answer was lost, has saved is saved. */
  const put = async ({ item, form, came, over }: Edit): Promise<Shortage> => {
    const body: Count & { expectedVersion: number | null } = { ...countOf(item, form, came), expectedVersion: over };
    let answer: DayShorts;
    try {
      answer = await call(calls.countShort, { params, body });
    } catch (error) {
      const current = findCurrent(error);
      const open = current && findOpen(current, item.variantId);
      if (!current || open?.state !== "counted" || open.of !== body.of || !isSameForm(formOf(open), form)) throw error;
      answer = current;
    }
    const saved = findOpen(answer, item.variantId);
    if (!saved) throw new ApiError(t.noItem);
    drafts.settle(item.variantId, form, saved.version);
    adopt(answer);
    return saved;
  };

  return {
    running,
    failures,
    save: (edit: Edit) =>
      run(
        edit.item.variantId,
        "save",
        async () => {
          await put(edit);
          announce(t.countSaved(edit.item.title, edit.came, edit.item.ordered));
        },
        t.saveFailed,
      ),
    /** Settles what is typed: it is saved first. */
    settle: (edit: Edit) =>
      run(
        edit.item.variantId,
        "settle",
        async () => {
          const { item, saved, form } = edit;
          const isSaved =
            saved?.state === "counted" &&
            saved.version === edit.over &&
            saved.of === item.ordered &&
            isSameForm(formOf(saved), form);
          const { id, version } = isSaved ? saved : await put(edit);
          const request = { params: { ...params, id }, body: { expectedVersion: version } };
          const answer = await keys.current.run(request, (idempotencyKey) =>
            call(calls.settleShort, request, { idempotencyKey }),
          );
          adopt(answer);
          const action = findOpen(answer, item.variantId)?.action;
          if (action) cacheAction(client, action);
        },
        t.failed,
      ),
    remove: (item: DayItem, { id, version }: Shortage) =>
      run(
        item.variantId,
        "remove",
        async () => {
          const answer = await call(calls.removeShort, {
            params: { ...params, id },
            body: { expectedVersion: version },
          });
          drafts.discard(item.variantId);
          adopt(answer);
          announce(t.removed(item.title));
        },
        t.saveFailed,
      ),
    clearFailure: (variantId: number) => fail(variantId, null),
  };
}
