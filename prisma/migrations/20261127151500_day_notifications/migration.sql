-- Written by hand: what Prisma's datamodel cannot say.

-- For the staff's open pages. Channel `orders` carries the market and the delivery whose orders changed, channel `day` those whose
-- steps, sheets or times changed: {"hubId":1,"deliveryId":20}. Per statement, and Postgres sends equal notifications of a
-- transaction once, so that a checkout adds one.
create function notify_orders() returns trigger language plpgsql as $$
begin
  perform pg_notify('orders', json_build_object('hubId', hub_id, 'deliveryId', delivery_id)::text)
    from (select distinct hub_id, delivery_id from written) as changed;
  return null;
end $$;
create function notify_moved_orders() returns trigger language plpgsql as $$
begin
  perform pg_notify('orders', json_build_object('hubId', hub_id, 'deliveryId', delivery_id)::text)
    from (select hub_id, delivery_id from former union select hub_id, delivery_id from written) as changed;
  return null;
end $$;
create trigger orders_notify_insert after insert on orders referencing new table as written
  for each statement execute function notify_orders();
create trigger orders_notify_update after update on orders referencing old table as former new table as written
  for each statement execute function notify_moved_orders();
create trigger orders_notify_delete after delete on orders referencing old table as written
  for each statement execute function notify_orders();

create function notify_day() returns trigger language plpgsql as $$
begin
  perform pg_notify('day', json_build_object('hubId', d.hub_id, 'deliveryId', d.id)::text)
    from delivery d where d.id in (select delivery_id from written);
  return null;
end $$;
create function notify_day_of_plan() returns trigger language plpgsql as $$
begin
  perform pg_notify('day', json_build_object('hubId', s.hub_id, 'deliveryId', s.delivery_id)::text)
    from snapshot s where s.id in (select snapshot_id from written);
  return null;
end $$;
create function notify_day_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('day', json_build_object('hubId', hub_id, 'deliveryId', id)::text) from written;
  return null;
end $$;
create trigger delivery_run_notify_insert after insert on delivery_run referencing new table as written
  for each statement execute function notify_day();
create trigger delivery_run_notify_update after update on delivery_run referencing new table as written
  for each statement execute function notify_day();
create trigger snapshot_notify_insert after insert on snapshot referencing new table as written
  for each statement execute function notify_day();
create trigger snapshot_notify_update after update on snapshot referencing new table as written
  for each statement execute function notify_day();
create trigger route_plan_notify_insert after insert on route_plan referencing new table as written
  for each statement execute function notify_day_of_plan();
create trigger delivery_notify_update after update on delivery referencing new table as written
  for each statement execute function notify_day_changed();
