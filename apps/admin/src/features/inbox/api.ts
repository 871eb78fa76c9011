import { cacheAnswer } from "@marketday/client/query-client.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { InboxItem, InboxView, ReplyTemplate } from "@marketday/contracts/admin/inbox";
import { INBOX_KINDS, type InboxKind } from "@marketday/domain/inbox-turn";
import { Second } from "@marketday/domain/time";
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

/** Between two reads of what is on the screen, ms; while an answer is held, more often. */
const READ_MS = 20 * Second.ms;
const PENDING_READ_MS = 3 * Second.ms;

export interface InboxFilter {
  view: InboxView;
  kind: InboxKind | undefined;
  assigned: string | undefined;
  q: string;
  page: number;
  hub: string | undefined;
}

/** Rows of a page. */
export const ROWS = 50;

const VIEWS: readonly InboxView[] = ["market", "vendor", "all", "done"];
export const isKind = (text: string | null | undefined): text is InboxKind =>
  (INBOX_KINDS as readonly (string | null | undefined)[]).includes(text);

/** The filter of an address. */
export function filterOf(search: string): InboxFilter {
  const params = new URLSearchParams(search);
  const [view, kind, page] = [params.get("view"), params.get("kind"), Number(params.get("page"))];
  return {
    view: VIEWS.find((each) => each === view) ?? "market",
    kind: isKind(kind) ? kind : undefined,
    assigned: /^(?:me|none|[1-9]\d{0,8})$/.exec(params.get("assigned") ?? "")?.[0],
    q: params.get("q") ?? "",
    page: Number.isInteger(page) && page > 0 ? page : 1,
    hub: params.get("hub") ?? undefined,
  };
}

/** An address with a part of its filter changed; another filter begins at its first page. */
export function withFilter(path: string, search: string, change: Partial<Record<string, string>>): string {
  const params = new URLSearchParams(search);
  params.delete("page");
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === "" || (name === "view" && value === "market")) params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  return text === "" ? path : `${path}?${text}`;
}

export const inboxQuery = (filter: InboxFilter) =>
  queryOptions({
    queryKey: ["inbox", "list", filter],
    queryFn: ({ signal }) => {
      const { hub, kind, assigned, ...rest } = filter;
      const querystring = {
        ...rest,
        perPage: ROWS,
        ...(hub && { hub }),
        ...(kind && { kind }),
        ...(assigned && { assigned }),
      };
      return call(calls.listInbox, { querystring }, { signal });
    },
    placeholderData: keepPreviousData,
    refetchInterval: READ_MS,
  });

export const itemQuery = (kind: InboxKind, id: number) =>
  queryOptions({
    queryKey: ["inbox", "item", kind, id],
    queryFn: ({ signal }): Promise<InboxItem> => call(calls.getInboxItem, { params: { kind, id } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.pending ? PENDING_READ_MS : READ_MS),
  });

export const peopleQuery = queryOptions({
  queryKey: ["inbox", "people"],
  queryFn: ({ signal }) => call(calls.listInboxPeople, undefined, { signal }),
  staleTime: 60 * Second.ms,
});

export const templatesQuery = queryOptions({
  queryKey: ["inbox", "templates"],
  queryFn: ({ signal }) => call(calls.listTemplates, undefined, { signal }),
  staleTime: 60 * Second.ms,
});

/** Shows an item as a write has answered it, and reads the list again. */
export function cacheItem(client: QueryClient, item: InboxItem): void {
  cacheAnswer(client, itemQuery(item.kind, item.id).queryKey, item);
  void client.invalidateQueries({ queryKey: ["inbox", "list"] });
}

/** The item as it is now, from the refusal of a write over an older version; null: it failed otherwise. */
export const currentItem = (error: unknown): InboxItem | null =>
  error instanceof ApiError && error.code === "conflict" ? ((error.details["current"] as InboxItem) ?? null) : null;
/** The template as it is now, from the refusal of a write over an older version; null: it failed otherwise. */
export const currentTemplate = (error: unknown): ReplyTemplate | null =>
  error instanceof ApiError && error.code === "conflict" ? ((error.details["current"] as ReplyTemplate) ?? null) : null;
export const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.isOffline;
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403;
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400 || error.status === 422);
