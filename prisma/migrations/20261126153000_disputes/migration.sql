-- AlterTable
ALTER TABLE "refund" ADD COLUMN     "failure" TEXT,
ADD COLUMN     "refused_at" TIMESTAMPTZ(3),
ADD COLUMN     "resolved_at" TIMESTAMPTZ(3),
ADD COLUMN     "closed_at" TIMESTAMPTZ(3),
ADD COLUMN     "bearer_id" INTEGER;

-- AddForeignKey
ALTER TABLE "refund" ADD CONSTRAINT "refund_bearer_id_fkey" FOREIGN KEY ("bearer_id") REFERENCES "vendor"("id") ON DELETE SET NULL ON UPDATE CASCADE NOT VALID;

-- CreateTable
CREATE TABLE "dispute" (
    "provider" TEXT NOT NULL,
    "provider_ref" TEXT NOT NULL,
    "payment_id" UUID NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "due_by" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "dispute_pkey" PRIMARY KEY ("provider","provider_ref")
);

-- CreateIndex
CREATE INDEX "dispute_payment_id_idx" ON "dispute"("payment_id");

-- AddForeignKey
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.

-- A bank may take back what was refunded before: more than was captured can be gone.
alter table payment
  drop constraint payment_money_check,
  add constraint payment_money_check check (amount_cents >= 0 and captured_cents between 0 and amount_cents and refunded_cents >= 0) not valid;
create index refund_unresolved_idx on refund (created_at) where state = 'failed' and failure is not null and resolved_at is null;
create index dispute_open_idx on dispute (created_at) where closed_at is null;
