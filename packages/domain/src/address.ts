/** Where an order is delivered to, as it is stored with the order. */
export interface DeliveryAddress {
  address: string;
  address2: string;
  city: string;
  state: string;
  zipCode: string;
  instructions: string;
}

/** Where a box is picked up, and when. */
export interface PickupPlace {
  name: string;
  address: string;
  city: string;
  state: string;
  zipCode: string;
  hours: string;
}
