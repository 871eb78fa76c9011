-- Written by hand: what Prisma's datamodel cannot say.

-- A card that a customer has saved twice is saved once: the default one stays, else the oldest. Payments of the others are
-- renewed and charged with it. No card is saved meanwhile.
lock table payment_method in share row exclusive mode;
with kept as (
  select distinct on (customer_id, provider, fingerprint) id, customer_id, provider, fingerprint
  from payment_method where fingerprint <> '' and deleted_at is null
  order by customer_id, provider, fingerprint, is_default desc, id),
copies as (
  select m.id, k.id as kept_id from payment_method m join kept k using (customer_id, provider, fingerprint)
  where m.deleted_at is null and m.id <> k.id),
moved as (
  update payment p set payment_method_id = c.kept_id from copies c where p.payment_method_id = c.id)
update payment_method m set deleted_at = now(), is_default = false from copies c where m.id = c.id;

create unique index payment_method_card_key on payment_method (customer_id, provider, fingerprint)
  where fingerprint <> '' and deleted_at is null;
