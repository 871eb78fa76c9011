import { DELIVERY_FEE_DEFAULT, WAGON_PASS_MONTHLY, WAGON_PASS_YEARLY } from "@marketday/domain/limits";

/** Cents saved in a year that is paid at once. */
export const yearlySaving: number = 12 * WAGON_PASS_MONTHLY - WAGON_PASS_YEARLY;

/** From how many home deliveries on a price is no more than their fees; the fee in cents, `null` for the usual one. */
export const breakEven = (priceCents: number, feeCents: number | null): number =>
  Math.ceil(priceCents / (feeCents || DELIVERY_FEE_DEFAULT));
