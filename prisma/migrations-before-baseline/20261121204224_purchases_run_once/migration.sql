-- AlterTable
ALTER TABLE "webhook_event" ADD COLUMN     "outcome" TEXT;

-- Written by hand: what Prisma's datamodel cannot say.
-- One purchase a key at a time; what came to nothing may be tried again.
create unique index payment_running_key on payment (idempotency_key)
  where purpose is not null and state in ('created', 'challenge', 'authorized', 'captured');
