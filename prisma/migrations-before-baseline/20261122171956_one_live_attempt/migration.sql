-- DropIndex
DROP INDEX "checkout_attempt_cart_id_idx";

-- CreateIndex
CREATE INDEX "checkout_attempt_cart_id_finished_at_idx" ON "checkout_attempt"("cart_id", "finished_at");

-- Written by hand: what Prisma's datamodel cannot say.

-- Of two live attempts of one cart the newest stays. The others end without an order: their stock goes back on sale, and
-- the sweep voids their charges, as it does for every failed attempt. No attempt starts meanwhile.
lock table checkout_attempt in share row exclusive mode;
with older as (
  select id from (
    select id, row_number() over (partition by cart_id order by created_at desc, id desc) as place
    from checkout_attempt where state in ('held', 'paid', 'challenge') and cart_id is not null) as live
  where place > 1),
failed as (
  update checkout_attempt a set state = 'failed', finished_at = now(), fencing_token = fencing_token + 1,
    failure = '{"status": 409, "message": "Another checkout took its place.", "code": "superseded"}'
  from older where a.id = older.id),
released as (
  delete from stock_hold h using older where h.attempt_id = older.id returning h.offer_id, h.quantity)
update offer o set inventory = o.inventory + back.quantity, sold_out_at = null
from (select offer_id, sum(quantity)::int as quantity from released group by offer_id) as back where o.id = back.offer_id;

create unique index checkout_attempt_live_key on checkout_attempt (cart_id) where state in ('held', 'paid', 'challenge');
