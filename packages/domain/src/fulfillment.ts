/**
 * Why an order cannot go where its customer receives: there is no address and no pickup point, the pickup point is closed or
 * another market's, or the market does not deliver to the address.
 */
export const FULFILLMENT_PROBLEMS = ["no_address", "pickup_gone", "pickup_elsewhere", "not_served"] as const;
export type FulfillmentProblem = (typeof FULFILLMENT_PROBLEMS)[number];

/** How a customer receives, as far as it decides whether an order can go there. */
interface Receives {
  pickupPoint: { hubId: number; isActive: boolean } | null;
  /** Whether there is a default address. */
  hasAddress: boolean;
  /** Whether the market delivers to it. */
  isServed: boolean;
}

/** What is wrong with the place in a market; null: orders can go there (docs/product.md §9). */
export function fulfillmentProblem(
  { pickupPoint, hasAddress, isServed }: Receives,
  hubId: number,
): FulfillmentProblem | null {
  if (pickupPoint) {
    if (pickupPoint.hubId !== hubId) return "pickup_elsewhere";
    return pickupPoint.isActive ? null : "pickup_gone";
  }
  if (!hasAddress) return "no_address";
  return isServed ? null : "not_served";
}

/** The cause and what to do about it, as parts of sentences. `place`: the name of the pickup point, or the zip code. */
export function explainFulfillment(
  problem: FulfillmentProblem,
  { place, market }: { place: string; market: string },
): { cause: string; action: string } {
  switch (problem) {
    case "no_address":
      return {
        cause: "we don’t know yet where it should go",
        action: "Choose home delivery or a pickup point",
      };
    case "pickup_gone":
      return {
        cause: `${place || "your pickup point"} is no longer a pickup point`,
        action: "Choose another pickup point or home delivery",
      };
    case "pickup_elsewhere":
      return {
        cause: `${place || "your pickup point"} is not a pickup point of ${market}`,
        action: "Choose a pickup point here or home delivery",
      };
    case "not_served":
      return {
        cause: `${market} does not deliver to ${place || "your address"}`,
        action: "Choose a pickup point or another address",
      };
  }
}
