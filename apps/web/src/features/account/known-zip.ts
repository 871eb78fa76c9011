import type { Customer } from "@marketday/contracts/account";

/** The ZIP code that the market knows of a shopper, a guest's too, for forms to begin with; "" for none. */
export const knownZip = (profile: Pick<Customer, "zipCode" | "deliveryAddress"> | null | undefined): string =>
  profile?.zipCode ?? profile?.deliveryAddress?.zipCode ?? "";
