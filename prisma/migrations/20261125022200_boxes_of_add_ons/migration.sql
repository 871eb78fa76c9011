-- Written by hand: what Prisma's datamodel cannot say.

-- Boxes whose first order was emptied before add-ons could take its place: the add-ons were added to a canceled order, so
-- "My orders" left them out and doctor reported V2. The oldest add-on takes over the box (docs/product.md §17). Days with
-- a snapshot keep their printed boxes.
with heir as (
  select distinct on (b.id) b.id as box_id, a.id as heir_id
  from orders a join orders b on b.id = a.add_on_to_id
  where a.status in ('future', 'open') and b.status = 'cancelled'
    and not exists (select 1 from snapshot s where s.delivery_id = b.delivery_id)
  order by b.id, a.created_at, a.id)
update orders o set add_on_to_id = case when o.id = h.heir_id then null else h.heir_id end,
  type = case when o.id = h.heir_id then b.type else o.type end,
  address = case when o.id = h.heir_id then b.address else o.address end,
  pickup_point_id = case when o.id = h.heir_id then b.pickup_point_id else o.pickup_point_id end,
  delivery_notes = case when o.id = h.heir_id and b.delivery_notes <> '' then b.delivery_notes else o.delivery_notes end
from heir h join orders b on b.id = h.box_id
where o.id = b.id or o.add_on_to_id = b.id;
