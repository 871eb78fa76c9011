import { Address } from "@marketday/contracts/common";
import { type Conn, execute, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { PickupPlaceRow } from "../hubs/pickup-point-sql.ts";
import type { CustomerId } from "../identity/context.ts";

const PointRow = PickupPlaceRow.extend({ id: z.number(), hub_id: z.number(), is_active: z.boolean() });

/** How a customer receives orders: at `pickup_point`, also one that is closed or of another market, else at `default_address`. */
export const Fulfillment = z.object({ pickup_point: PointRow.nullable(), default_address: Address.nullable() });
export type Fulfillment = z.infer<typeof Fulfillment>;

/** A `pickup_point pp` as the JSON of `Fulfillment`. */
const pickupPointJson: Sql = sql`jsonb_build_object('id', pp.id, 'hub_id', pp.hub_id, 'is_active', pp.is_active, 'name', pp.name,
            'address', pp.address, 'city', pp.city, 'state', pp.state, 'zip_code', pp.zip_code, 'hours', pp.hours)`;

/** The columns of customer `c` for `Fulfillment`. */
export const fulfillmentColumns: Sql = sql`(select ${pickupPointJson} from pickup_point pp where pp.id = c.pickup_point_id) as pickup_point,
          (select jsonb_build_object('address', a.address, 'address2', a.address2, 'city', a.city, 'state', a.state, 'zipCode', a.zip_code,
              'instructions', a.instructions) from address a where a.customer_id = c.id and a.is_default) as default_address`;

/** Locks the customer and returns how they receive. Null: the account is deleted. */
export const lockFulfillment = (tx: Conn, customerId: CustomerId) =>
  queryOne(
    tx,
    sql`select c.hub_id, ${fulfillmentColumns} from customer c where c.id = ${customerId}::int and c.deleted_at is null for no key update of c`,
    Fulfillment.extend({ hub_id: z.number().nullable() }),
  );

/** Whether this is an open pickup point of the hub. */
export const isPickupPoint = async (db: Conn, id: number, hubId: number | null): Promise<boolean> =>
  (await queryOne(
    db,
    sql`select id from pickup_point where id = ${id}::int and hub_id = ${hubId}::int and is_active`,
    z.object({ id: z.number() }),
  )) !== null;

/** Sets the pickup point of a customer; null: home delivery. */
export const setPickupPoint = (tx: Conn, customerId: CustomerId, pickupPointId: number | null) =>
  execute(tx, sql`update customer set pickup_point_id = ${pickupPointId}::int where id = ${customerId}::int`);

/** Sets the delivery address and replaces the previous one. */
export const setDefaultAddress = (tx: Conn, customerId: CustomerId, to: Address, now: Date) =>
  execute(
    tx,
    sql`insert into address (customer_id, address, address2, city, state, zip_code, instructions, is_default, created_at)
        values (${customerId}::int, ${to.address}, ${to.address2}, ${to.city}, ${to.state}, ${to.zipCode}, ${to.instructions}, true, ${now})
        on conflict (customer_id) where is_default do update set address = excluded.address, address2 = excluded.address2,
          city = excluded.city, state = excluded.state, zip_code = excluded.zip_code, instructions = excluded.instructions`,
  );
