import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { DayDoor } from "@marketday/contracts/admin/door";
import type {
  MovePlan,
  OrderMoves,
  OrderPlace,
  PlacePlan,
  RefundPlan,
  ShortPlan,
} from "@marketday/contracts/admin/order-changes";
import type { CancelPlan, DayBoxes, OrderBox } from "@marketday/contracts/admin/orders";
import { queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

export type DayBox = DayBoxes["boxes"][number];
export type RefundTo = "card" | "credit";

/** The boxes of a delivery day of a market (slug or id). Needs `orders.read` there. */
export const boxesQuery = (hub: string, date: string) =>
  queryOptions({
    queryKey: ["day", hub, date, "boxes"],
    queryFn: ({ signal }) => call(calls.getDayBoxes, { params: { hub, date } }, { signal }),
  });

/** The box of an order number, which may be one of its add-ons. */
export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ["order", id],
    queryFn: ({ signal }) => call(calls.getOrderBox, { params: { id: Number(id) } }, { signal }),
  });

/** What cancelling a box would do. */
export const cancelPlanQuery = ({ id, version }: OrderBox, refundTo: RefundTo) =>
  queryOptions({
    queryKey: ["order", String(id), "cancel-plan", refundTo, version],
    queryFn: ({ signal }): Promise<CancelPlan> =>
      call(calls.planCancel, { params: { id }, body: { refundTo } }, { signal }),
  });

/** A plan is of the box as it is on the screen. */
const planKey = ({ id, version }: OrderBox, ...of: readonly unknown[]) => ["order", String(id), "plan", version, ...of];

interface RefundAsked {
  orderId: number;
  amount: number;
  to: RefundTo;
  bearer: string | null;
}
/** What refunding a part of an order would do. */
export const refundPlanQuery = (order: OrderBox, { orderId, amount, to, bearer }: RefundAsked) =>
  queryOptions({
    queryKey: planKey(order, "refund", orderId, amount, to, bearer),
    queryFn: ({ signal }): Promise<RefundPlan> =>
      call(calls.planRefund, { params: { id: orderId }, body: { amount, to, bearer } }, { signal }),
  });

interface ShortAsked {
  variantId: number;
  came: number;
  of: number;
  to: RefundTo;
  bearer: "vendor" | "market";
}
/** What a short line of an order would do. */
export const shortPlanQuery = (order: OrderBox, orderId: number, body: ShortAsked) =>
  queryOptions({
    queryKey: planKey(order, "short", orderId, body),
    queryFn: ({ signal }): Promise<ShortPlan> =>
      call(calls.planShortLine, { params: { id: orderId }, body }, { signal }),
  });

/** Where a box can go. */
export const movesQuery = (order: OrderBox) =>
  queryOptions({
    queryKey: planKey(order, "moves"),
    queryFn: ({ signal }): Promise<OrderMoves> => call(calls.getOrderMoves, { params: { id: order.id } }, { signal }),
  });
/** What another place would do. */
export const placePlanQuery = (order: OrderBox, place: OrderPlace) =>
  queryOptions({
    queryKey: planKey(order, "place", place),
    queryFn: ({ signal }): Promise<PlacePlan> =>
      call(calls.planPlace, { params: { id: order.id }, body: { place } }, { signal }),
  });
/** What another day would do. */
export const movePlanQuery = (order: OrderBox, to: string) =>
  queryOptions({
    queryKey: planKey(order, "day", to),
    queryFn: ({ signal }): Promise<MovePlan> =>
      call(calls.planMove, { params: { id: order.id }, body: { to } }, { signal }),
  });

const currentOf = (error: unknown): unknown =>
  error instanceof ApiError && error.code === "conflict" ? (error.details["current"] ?? null) : null;

/** The box as it is now, from the refusal of a write over an older version; null: it failed otherwise. */
export const currentBox = (error: unknown): OrderBox | null => currentOf(error) as OrderBox | null;
/** The money at the door as it is now, from the refusal of another amount; null: it failed otherwise. */
export const currentDoor = (error: unknown): DayDoor | null => currentOf(error) as DayDoor | null;

/** No answer arrived: the server may have acted or may still. */
export const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.isOffline;
/** 404, or a number that cannot be one. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400 || error.status === 422);
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403;
