import type { Fulfillment } from "@marketday/contracts/account";
import type { Address } from "@marketday/contracts/common";
import { formatMoney } from "@marketday/ui/money.ts";

/** "12 Oak St, Apt 4, Carmel, IN 46032" */
export const addressLine = ({ address, address2, city, state, zipCode }: Address): string =>
  [address, address2, city, `${state} ${zipCode}`].filter(Boolean).join(", ");

type Place = Pick<Fulfillment, "pickupPoint" | "deliveryAddress">;

/** "Pickup at Depot Barn", "Home delivery to 12 Oak St, Carmel, IN 46032". */
export const formatPlace = ({ pickupPoint, deliveryAddress }: Place): string =>
  pickupPoint
    ? `Pickup at ${pickupPoint.name}`
    : `Home delivery to ${deliveryAddress ? addressLine(deliveryAddress) : "your address"}`;

/** What a driver or who picks up has to know besides: the instructions, or where the point is and when it is open. */
export const formatPlaceNote = ({ pickupPoint, deliveryAddress }: Place): string =>
  pickupPoint
    ? [`${pickupPoint.address}, ${pickupPoint.city}`, pickupPoint.hours].filter(Boolean).join(" · ")
    : (deliveryAddress?.instructions ?? "");

/** "$8.95 a box", "Free". */
export const formatFee = (dollars: number): string => (dollars === 0 ? "Free" : `${formatMoney(dollars)} a box`);

/** "Visa ending in 4242". */
export const formatCard = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending in ${last4}`;
