import type { Fulfillment as FulfillmentResponse } from "@marketday/contracts/account";
import type { AnyTx } from "@marketday/db";
import { explainFulfillment, type FulfillmentProblem, fulfillmentProblem } from "@marketday/domain/fulfillment";
import { DELIVERY_FEE_DEFAULT } from "@marketday/domain/limits";
import { cents, toDollars, zeroCents } from "@marketday/domain/money";

import { AppError, sessionExpired } from "../../lib/app-error.ts";
import type { HubFacts } from "../hubs/directory-store.ts";
import type { HubDirectory } from "../hubs/directory.ts";
import { addressDoor, hubsAtDoor, type Person } from "../hubs/home-delivery.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import {
  type Fulfillment,
  isPickupPoint,
  lockFulfillment,
  setDefaultAddress,
  setPickupPoint,
} from "./fulfillment-sql.ts";

/** What is wrong with where the customer receives, in this hub; null: nothing. A hub that is not published says nothing about addresses. */
export const problemOf = (
  directory: HubDirectory,
  hubId: number,
  { pickup_point: point, default_address: address, ...person }: Fulfillment & Person,
): FulfillmentProblem | null =>
  fulfillmentProblem(
    {
      pickupPoint: point && { hubId: point.hub_id, isActive: point.is_active },
      hasAddress: address !== null,
      isServed:
        address !== null &&
        (!directory.byId(hubId) ||
          hubsAtDoor(directory, addressDoor(address.zipCode, person)).some(({ id }) => id === hubId)),
    },
    hubId,
  );

/** The name of the place for `explainFulfillment`: the pickup point's, or the zip code; empty without either. */
const placeOf = ({ pickup_point: point, default_address: address }: Fulfillment): string =>
  point?.name ?? address?.zipCode ?? "";

/** Row → contract. Null: the customer has neither a pickup point nor an address. */
export function serializeFulfillment(
  row: Fulfillment,
  hub: Pick<HubFacts, "name" | "delivery_fee_cents"> | undefined,
  problem: FulfillmentProblem | null,
  hasWagonPass: boolean,
): FulfillmentResponse | null {
  const { pickup_point: point, default_address: address } = row;
  if (!point && !address) return null;
  const fee =
    point || hasWagonPass
      ? zeroCents
      : hub?.delivery_fee_cents == null
        ? DELIVERY_FEE_DEFAULT
        : cents(hub.delivery_fee_cents);
  const market = hub?.name ?? "this market";
  const explained = problem && explainFulfillment(problem, { place: placeOf(row), market });
  return {
    type: point ? "pickup" : "delivery",
    pickupPoint: point && {
      id: point.id,
      name: point.name,
      address: point.address,
      city: point.city,
      state: point.state,
      zipCode: point.zip_code,
      hours: point.hours,
    },
    deliveryAddress: point ? null : address,
    deliveryFee: toDollars(fee),
    problem:
      problem && explained
        ? {
            code: problem,
            message: `${explained.cause.charAt(0).toUpperCase()}${explained.cause.slice(1)}. ${explained.action}.`,
          }
        : null,
  };
}

/** Where a customer receives from now on. A pickup point of null is home delivery. */
export interface FulfillmentChange {
  deliveryAddress?: NonNullable<Fulfillment["default_address"]> | undefined;
  pickupPointId?: number | null | undefined;
}

const isSame = (a: object | null, b: object) =>
  a !== null && Object.entries(b).every(([key, value]) => a[key as keyof typeof a] === value);

/**
 * Sets how a customer receives (docs/product.md §9). An address that differs from the stored one means home delivery, unless a
 * pickup point comes with it. Locks the customer.
 * @param isOrdered an order goes there: the pickup point was checked
 * @returns whether orders go elsewhere from now on; then `fulfillmentChanged` follows
 * @throws AppError 401 `session_expired`: the account is deleted; 422 `pickup_required`: no open pickup point of the customer's hub; `address_required`: home delivery without
 * an address
 */
export async function setFulfillment(
  { now }: Context,
  tx: AnyTx,
  customerId: CustomerId,
  { deliveryAddress, pickupPointId }: FulfillmentChange,
  isOrdered = false,
): Promise<boolean> {
  const before = await lockFulfillment(tx, customerId);
  if (!before) throw sessionExpired();
  const isMoved = deliveryAddress !== undefined && !isSame(before.default_address, deliveryAddress);
  const pointBefore = before.pickup_point?.id ?? null;
  const point = pickupPointId === undefined ? (isMoved ? null : pointBefore) : pickupPointId;
  if (point !== null && point !== pointBefore && !isOrdered && !(await isPickupPoint(tx, point, before.hub_id)))
    throw new AppError(422, "Choose a pickup point.", { code: "pickup_required", field: "pickupPointId" });
  if (pickupPointId === null && !deliveryAddress && !before.default_address)
    throw new AppError(422, "Address is required", { code: "address_required", field: "deliveryAddress" });
  if (isMoved) await setDefaultAddress(tx, customerId, deliveryAddress, now);
  if (point !== pointBefore) await setPickupPoint(tx, customerId, point);
  return point !== pointBefore || (isMoved && point === null);
}
