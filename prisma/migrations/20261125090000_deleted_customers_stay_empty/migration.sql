-- Written by hand: what Prisma's datamodel cannot say.

-- A request that began before its customer was deleted must not write personal data back afterwards (docs/failures.md L2): a new
-- password, a name, an address for notifications, automatic checkout. A deletion commits before such an update reads the row again.
create function keep_deleted_customer_empty() returns trigger language plpgsql as $$
begin
  raise exception 'customer % is deleted', new.id using errcode = 'MD001';
end $$;

create trigger customer_stays_empty before update on customer for each row when (
  old.deleted_at is not null
  and (new.email, new.email_normal, new.password_hash, new.first_name, new.last_name, new.handle, new.phone, new.zip_code, new.avatar_id,
    new.data_source, new.player_id, new.os, new.trk, new.utm_source, new.utm_campaign, new.auto_checkout_status)
    is distinct from
    (old.email, old.email_normal, old.password_hash, old.first_name, old.last_name, old.handle, old.phone, old.zip_code, old.avatar_id,
    old.data_source, old.player_id, old.os, old.trk, old.utm_source, old.utm_campaign, old.auto_checkout_status)
) execute function keep_deleted_customer_empty();
