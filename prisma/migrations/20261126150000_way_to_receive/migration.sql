-- AlterTable
ALTER TABLE "customer" ADD COLUMN     "pickup_point_id" INTEGER;

-- AddForeignKey
ALTER TABLE "customer" ADD CONSTRAINT "customer_pickup_point_id_fkey" FOREIGN KEY ("pickup_point_id") REFERENCES "pickup_point"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Customers of the version before receive as their last order did, where their market still has its pickup point.
update customer c set pickup_point_id = p.id
from (
  select distinct on (o.customer_id) o.customer_id, o.type, o.pickup_point_id from orders o
  where o.customer_id is not null and o.status <> 'cancelled'
  order by o.customer_id, o.created_at desc, o.id desc) l
join pickup_point p on p.id = l.pickup_point_id and p.is_active
where l.customer_id = c.id and l.type = 'pickup' and p.hub_id = c.hub_id and c.deleted_at is null;
