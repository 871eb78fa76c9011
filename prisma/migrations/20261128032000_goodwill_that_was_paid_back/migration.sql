-- AlterTable
ALTER TABLE "refund" ADD COLUMN     "released_cents" INTEGER NOT NULL DEFAULT 0;

-- Written by hand: what Prisma's datamodel cannot say.

-- Not validated here: that would read the table under this migration's exclusive lock (20261128033000).
alter table refund add constraint refund_released check (released_cents between 0 and amount_cents) not valid;
