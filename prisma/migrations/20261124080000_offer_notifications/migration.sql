-- Written by hand: what Prisma's datamodel cannot say.

-- A product that a hub does not sell lists the hubs that do, so a new, deleted, published or withdrawn offer is sent to all
-- hubs. Any other change of an offer concerns its hub alone; a change of inventory, its products.
create or replace function notify_offer_changed() returns trigger language plpgsql as $$
declare
  hub record;
begin
  if exists (select 1 from changed n join before o on o.id = n.id where o.is_published <> n.is_published) then
    perform pg_notify('catalogue', '');
    return null;
  end if;
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
drop trigger offer_inserted on offer;
drop trigger offer_deleted on offer;
drop function notify_offer_update();
create trigger offer_inserted after insert on offer for each statement execute function notify_catalogue();
create trigger offer_deleted after delete on offer for each statement execute function notify_catalogue();
