-- CreateTable
CREATE TABLE "auto_checkout_result" (
    "delivery_id" INTEGER NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "outcome" TEXT,
    "error" TEXT,
    "done_at" TIMESTAMPTZ(3),

    CONSTRAINT "auto_checkout_result_pkey" PRIMARY KEY ("delivery_id","customer_id")
);

-- CreateIndex
CREATE INDEX "auto_checkout_result_customer_id_idx" ON "auto_checkout_result"("customer_id");

-- CreateIndex
CREATE INDEX "auto_checkout_result_done_at_idx" ON "auto_checkout_result"("done_at");

-- AddForeignKey
ALTER TABLE "auto_checkout_result" ADD CONSTRAINT "auto_checkout_result_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auto_checkout_result" ADD CONSTRAINT "auto_checkout_result_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.

-- The customers of the runs so far. A server of the version before goes on with its claims until it is replaced; whom both
-- order for gets one order.
insert into auto_checkout_result (delivery_id, customer_id, tries, outcome, error, done_at)
select d.id, c.id, j.attempts, case when j.outcome like 'error %' then 'error' else j.outcome end, j.error, j.done_at
from job_claim j
join delivery d on d.id::text = split_part(j.subject, ':', 1)
join customer c on c.id::text = split_part(j.subject, ':', 2)
where j.job = 'auto-checkout';

create index auto_checkout_result_undone_idx on auto_checkout_result (delivery_id) where done_at is null;

-- A key places one order: a second attempt under it begins only when the one before has failed. Of attempts that did not, the
-- latest keeps the key, as look-ups already took it.
lock table checkout_attempt in share row exclusive mode;
with earlier as (
  select id from (
    select id, row_number() over (partition by idempotency_key order by created_at desc, id desc) as place
    from checkout_attempt where idempotency_key is not null and state <> 'failed') as of_key
  where place > 1)
update checkout_attempt a set idempotency_key = null from earlier where a.id = earlier.id;

create unique index checkout_attempt_key_once_key on checkout_attempt (idempotency_key) where state <> 'failed';
