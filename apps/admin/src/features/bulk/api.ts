import { ApiError } from "@marketday/client/transport.ts";
import type { BulkDone, BulkPlan, PrintKind } from "@marketday/contracts/admin/bulk";
import * as calls from "@marketday/contracts/admin/calls";
import { queryOptions } from "@tanstack/react-query";

import type { Verb } from "#messages/bulk";

import { call } from "../../lib/api.ts";

/** What a person fills in; of an action that has none of it, it is ignored. */
export interface Values {
  reason: string;
  refundTo: "card" | "credit";
  subject: string;
  text: string;
  /** Empty before one is chosen. */
  pickupPointId: string;
}
export const NONE: Values = { reason: "", refundTo: "card", subject: "", text: "", pickupPointId: "" };

interface Sent {
  orderIds: number[];
  dryRun: boolean;
  token: string;
}

/** Plans an action, or does it. */
export function sendBulk(
  verb: Verb,
  sent: Sent,
  { reason, refundTo, subject, text, pickupPointId }: Values,
  options: { idempotencyKey?: string; signal?: AbortSignal } = {},
): Promise<BulkDone> {
  switch (verb) {
    case "paid":
      return call(calls.bulkPaid, { body: sent }, options);
    case "deliver":
      return call(calls.bulkDeliver, { body: sent }, options);
    case "place":
      return call(calls.bulkPlace, { body: { ...sent, pickupPointId: Number(pickupPointId) } }, options);
    case "charge":
      return call(calls.bulkCharge, { body: sent }, options);
    case "cancel":
      return call(calls.bulkCancel, { body: { ...sent, reason, refundTo } }, options);
    case "message":
      return call(calls.bulkMessage, { body: { ...sent, subject, text } }, options);
  }
}

/** What an action would do. Read again each time its dialog opens. */
export const planQuery = (
  verb: Verb,
  orderIds: readonly number[],
  { refundTo, pickupPointId }: Pick<Values, "refundTo" | "pickupPointId">,
) =>
  queryOptions({
    queryKey: ["bulk", verb, refundTo, pickupPointId, orderIds],
    queryFn: async ({ signal }): Promise<BulkPlan> =>
      (
        await sendBulk(
          verb,
          { orderIds: [...orderIds], dryRun: true, token: "" },
          { ...NONE, refundTo, pickupPointId },
          { signal },
        )
      ).plan,
    staleTime: 0,
    gcTime: 0,
  });

/** The open pickup points of the markets of orders. Read again each time its dialog opens. */
export const pointsQuery = (orderIds: readonly number[]) =>
  queryOptions({
    queryKey: ["bulk", "points", orderIds],
    queryFn: async ({ signal }) =>
      (await call(calls.findBulkPoints, { body: { orderIds: [...orderIds] } }, { signal })).markets,
    staleTime: 0,
    gcTime: 0,
  });

/** What would be printed. */
export const printQuery = (kind: PrintKind, orderIds: readonly number[]) =>
  queryOptions({
    queryKey: ["bulk", "print", kind, orderIds],
    queryFn: ({ signal }) => call(calls.planBulkPrint, { body: { kind, orderIds: [...orderIds] } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** The address of a PDF. */
export const printPath = (kind: PrintKind, orderIds: readonly number[]): string =>
  `/api/admin/bulk/print/${kind}?orderIds=${orderIds.join(",")}`;

/** The plan as it is now, from a refusal; null: it failed otherwise. */
export const currentPlan = (error: unknown): BulkPlan | null =>
  error instanceof ApiError && (error.code === "conflict" || error.code === "refused")
    ? ((error.details["current"] as BulkPlan | undefined) ?? null)
    : null;
