-- AlterTable
ALTER TABLE "hub" ADD COLUMN     "pack_unpaid" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "charge_error" TEXT,
ADD COLUMN     "charge_failed_at" TIMESTAMPTZ(3),
ADD COLUMN     "charge_lease_until" TIMESTAMPTZ(3),
ADD COLUMN     "charge_next_at" TIMESTAMPTZ(3),
ADD COLUMN     "charge_tries" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "written_off_at" TIMESTAMPTZ(3);

-- Written by hand: what Prisma's datamodel cannot say.

-- Orders that were closed unpaid before they were set aside: named by `market doctor` from now on.
update orders o set charge_failed_at = coalesce(o.closed_at, r.done_at), charge_error = 'It could not be charged at its cutoff.', charge_tries = 1
from delivery_run r
where r.delivery_id = o.delivery_id and r.step = 'cutoff' and r.done_at is not null
  and o.status in ('pending', 'closed') and o.order_total_cents > o.credit_cents
  and not exists (select 1 from payment p where p.id = o.payment_id and (p.state = 'captured' or p.provider = 'offline'));

create index orders_charge_next_key on orders (charge_next_at) where charge_next_at is not null;
create index orders_charge_failed_key on orders (charge_failed_at) where charge_failed_at is not null;
