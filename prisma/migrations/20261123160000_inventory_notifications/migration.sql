-- Written by hand: what Prisma's datamodel cannot say.

-- A change of inventory alone is sent on the channel `inventory` with its products, so that an order does not make every
-- cached page of its hub stale. Any other change of an offer is sent to the whole hub, as is a change of more than 500
-- products, because a notification has at most 8,000 bytes.
create function notify_offer_changed() returns trigger language plpgsql as $$
declare
  hub record;
begin
  for hub in
    select n.hub_id as id,
      bool_or(to_jsonb(o) - 'inventory' - 'sold_out_at' <> to_jsonb(n) - 'inventory' - 'sold_out_at') as is_more_changed,
      bool_or((o.inventory > 0) <> (n.inventory > 0)) as is_availability_changed,
      array_agg(distinct x.product_id) filter (where o.inventory <> n.inventory) as product_ids
    from changed n
    join before o on o.id = n.id
    join variant x on x.id = n.variant_id
    group by n.hub_id
  loop
    if hub.is_more_changed or cardinality(hub.product_ids) > 500 then
      perform pg_notify('catalogue', hub.id::text);
    elsif hub.product_ids is not null then
      perform pg_notify('inventory', json_build_object('hubId', hub.id, 'productIds', hub.product_ids,
        'isAvailabilityChanged', hub.is_availability_changed)::text);
    end if;
  end loop;
  return null;
end $$;
drop trigger offer_updated on offer;
create trigger offer_updated after update on offer referencing old table as before new table as changed
  for each statement execute function notify_offer_changed();
