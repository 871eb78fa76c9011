import { deviceNow } from "@marketday/client/clock.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

/** How often failed work and the checks are read again while the screen is open, ms. */
const READ_MS = 15_000;
/** The same after something was tried again, for so long. */
const RETRIED_READ_MS = 2_000;
const RETRIED_MS = 30_000;

/** `retriedAt`: when something was last tried again from this screen, by the device, ms. */
export const healthQuery = (retriedAt = Number.NEGATIVE_INFINITY) =>
  queryOptions({
    queryKey: ["settings", "health"],
    queryFn: ({ signal }) => call(calls.getSystemHealth, undefined, { signal }),
    refetchInterval: () => (deviceNow() - retriedAt < RETRIED_MS ? RETRIED_READ_MS : READ_MS),
  });

export const backupsQuery = queryOptions({
  queryKey: ["settings", "backups"],
  queryFn: ({ signal }) => call(calls.getBackups, undefined, { signal }),
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
