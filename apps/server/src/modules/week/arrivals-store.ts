import { Prisma, type Tx } from "@marketday/db";
import { z } from "zod";

/** Units by variant. */
export const UnitsByVariant = z.record(z.string(), z.number());
export type UnitsByVariant = z.infer<typeof UnitsByVariant>;

/** What is known of a vendor's share of a delivery day. `at` null: not, or taken back. */
export interface ArrivalChange {
  /** `units`: that were ordered when the vendor confirmed by their link, by variant. */
  confirmed?: { at: Date | null; by: string | null; units?: UnitsByVariant };
  arrived?: { at: Date | null; by: string | null };
}

const columnsOf = ({ confirmed, arrived }: ArrivalChange) => ({
  ...(confirmed && {
    confirmed_at: confirmed.at,
    confirmed_by: confirmed.by,
    confirmed_units: confirmed.units ?? Prisma.DbNull,
  }),
  ...(arrived && { arrived_at: arrived.at, arrived_by: arrived.by }),
});

interface Share {
  deliveryId: number;
  vendorId: number;
}

/** Changes what is known of a share that has this version; 0: nothing is known of it. False: it has another one. */
export async function putArrival(
  tx: Tx,
  { deliveryId: delivery_id, vendorId: vendor_id }: Share,
  change: ArrivalChange,
  version: number,
): Promise<boolean> {
  const data = columnsOf(change);
  const { count } =
    version === 0
      ? await tx.vendor_arrival.createMany({ data: { delivery_id, vendor_id, ...data }, skipDuplicates: true })
      : await tx.vendor_arrival.updateMany({
          where: { delivery_id, vendor_id, version },
          data: { ...data, version: { increment: 1 } },
        });
  return count === 1;
}
