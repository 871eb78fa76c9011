-- Written by hand: what Prisma's datamodel cannot say.

-- Channel `customer` carries the id of a customer whose favorites, subscriptions or orders changed, because servers cache
-- what the pages of products show of them.
create function notify_customer() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform pg_notify('customer', old.customer_id::text); end if;
  if tg_op <> 'DELETE' then perform pg_notify('customer', new.customer_id::text); end if;
  return null;
end $$;
create trigger favorite_product_changed after insert or update or delete on favorite_product
  for each row execute function notify_customer();
create trigger subscription_added after insert or delete on subscription for each row execute function notify_customer();
create trigger subscription_changed after update on subscription for each row
  when (old.customer_id <> new.customer_id or old.variant_id <> new.variant_id) execute function notify_customer();
create trigger order_added after insert on orders for each row
  when (new.customer_id is not null) execute function notify_customer();
create trigger order_changed after update on orders for each row
  when (old.customer_id is distinct from new.customer_id or old.items_cents <> new.items_cents
    or (old.status = 'cancelled') <> (new.status = 'cancelled')) execute function notify_customer();
