-- DropIndex
DROP INDEX "customer_email_normal_idx";

-- AlterTable
ALTER TABLE "identify_event" DROP COLUMN "next_at";

-- DropTable
DROP TABLE "job_claim";

-- Written by hand: what Prisma's datamodel cannot say.

-- Dropped above: what the version before neither reads nor writes. docs/decisions/0001 lists what a later release drops.

-- Refunds: both names of a kind are allowed. No version reads `stray`; `care` is read by the version before and stays.
alter table refund
  drop constraint refund_kind_check,
  add constraint refund_kind_check check (kind in ('goodwill', 'care', 'short', 'cancel', 'orphaned_charge', 'stray'));
update refund set kind = 'orphaned_charge' where kind = 'stray';

-- The job is called `delete-provider-customers`.
update job_failure f set job = 'delete-provider-customers' where job = 'forget-payers';

-- Read by nothing. The version before still writes it.
update customer set email_normal = null where email_normal is not null;

-- No version writes the state `paid`. An attempt with it would be resumed as a held one: its charge decides.
update checkout_attempt set state = 'held' where state = 'paid';
alter table checkout_attempt
  drop constraint checkout_attempt_state_check,
  add constraint checkout_attempt_state_check check (state in ('held', 'challenge', 'placed', 'failed'));
drop index checkout_attempt_live_key;
create unique index checkout_attempt_live_key on checkout_attempt (cart_id) where state in ('held', 'challenge');
