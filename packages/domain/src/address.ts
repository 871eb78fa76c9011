/** Where an order is delivered to, as it is stored with the order. */
export interface DeliveryAddress {
  address: string;
  address2: string;
  city: string;
  state: string;
  zipCode: string;
  instructions: string;
}

/** A delivery address of an order; the oldest orders have no second line or instructions. */
export type StoredAddress = Omit<DeliveryAddress, "address2" | "instructions"> &
  Partial<Pick<DeliveryAddress, "address2" | "instructions">>;

/** Where a box is picked up, and when. */
export interface PickupPlace {
  name: string;
  address: string;
  city: string;
  state: string;
  zipCode: string;
  hours: string;
}
