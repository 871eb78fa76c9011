import * as calls from "@marketday/contracts/admin/calls";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { type Cursor, type Filter, queryOf } from "./filter.ts";

/** The zone of the device: days of a filter are its days. */
export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A page of the log; a new entry makes it old. While a filter changes the old rows stay. */
export const auditQuery = (filter: Filter, cursor: Cursor) => {
  const querystring = { ...queryOf(filter, deviceZone()), ...cursor };
  return queryOptions({
    queryKey: ["audit", "list", querystring],
    queryFn: ({ signal }) => call(calls.listAudit, { querystring }, { signal }),
    placeholderData: keepPreviousData,
  });
};

/** What the filters offer. */
export const choicesQuery = queryOptions({
  queryKey: ["audit choices"],
  queryFn: ({ signal }) => call(calls.listAuditChoices, undefined, { signal }),
});

/** One entry with all of its data, and whether it can be undone now. */
export const entryQuery = (id: string) =>
  queryOptions({
    queryKey: ["audit", "entry", id],
    queryFn: ({ signal }) => call(calls.getAuditEntry, { params: { id: Number(id) } }, { signal }),
  });

/** Where the CSV of a filter is. */
export const exportUrl = (filter: Filter): string =>
  `/api/admin/audit/export?${new URLSearchParams(queryOf(filter, deviceZone())).toString()}`;
