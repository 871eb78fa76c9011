import { marketNow } from "@marketday/client/clock.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { SystemHealth } from "@marketday/contracts/admin/settings";
import { queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

/** How often failed work and the checks are read again while the screen is open, ms. */
const READ_MS = 15_000;
/** The same while something of it may be tried at any moment. */
const DUE_READ_MS = 3_000;

const isDue = ({ nextAt, canRetry }: SystemHealth["work"][number]): boolean =>
  canRetry && (nextAt === null || new Date(nextAt) <= marketNow());

export const healthQuery = queryOptions({
  queryKey: ["settings", "health"],
  queryFn: ({ signal }) => call(calls.getSystemHealth, undefined, { signal }),
  refetchInterval: ({ state }) => (state.data?.work.some(isDue) ? DUE_READ_MS : READ_MS),
});

export const environmentQuery = queryOptions({
  queryKey: ["settings", "environment"],
  queryFn: ({ signal }) => call(calls.getEnvironment, undefined, { signal }),
});

export const mailsQuery = queryOptions({
  queryKey: ["settings", "mails"],
  queryFn: ({ signal }) => call(calls.listMailTexts, undefined, { signal }),
});

export const mailQuery = (name: string) =>
  queryOptions({
    queryKey: ["settings", "mails", name],
    queryFn: ({ signal }) => call(calls.getMailText, { params: { name } }, { signal }),
  });

/** The address of an email's document, for a frame. */
export const mailDocument = (name: string): string => `/api/admin/settings/mails/${name}/html`;
