import type { Hub } from "@marketday/contracts/hubs";
import { DELIVERY_FEE_DEFAULT } from "@marketday/domain/limits";
import { cents, toDollars } from "@marketday/domain/money";

import type { NextDelivery } from "./deliveries.ts";
import type { HubFacts } from "./directory-store.ts";

/** Row → contract, with the hub's next delivery if one is planned. */
export const serializeHub = (hub: HubFacts, next: NextDelivery | null): Hub => ({
  id: hub.id,
  slug: hub.slug,
  name: hub.name,
  description: hub.description,
  deliveryDay: hub.delivery_day,
  deliveryFee: toDollars(cents(hub.delivery_fee_cents ?? DELIVERY_FEE_DEFAULT)),
  taxRate: hub.tax_rate_ppm / 10_000,
  processingFee: { percent: hub.processing_ppm / 10_000, fixed: toDollars(cents(hub.processing_fixed_cents)) },
  zipCode: hub.zip_code,
  city: hub.city,
  state: hub.state,
  lat: hub.lat,
  lng: hub.lng,
  accessibleZipCodes: hub.zips,
  timeZone: hub.time_zone,
  nextDeliveryDate: next?.day ?? null,
  cutoff: next?.cutoff_at.toISOString() ?? null,
  pickupPoints: hub.pickup_points.map(({ zip_code: zipCode, ...point }) => ({ ...point, zipCode })),
});
