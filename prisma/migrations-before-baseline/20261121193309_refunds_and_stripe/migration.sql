-- DropForeignKey
ALTER TABLE "refund" DROP CONSTRAINT "refund_payment_id_fkey";

-- AlterTable
ALTER TABLE "customer" ADD COLUMN     "stripe_customer_id" TEXT;

-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "charge_key" UUID,
ADD COLUMN     "hold_lost_at" TIMESTAMPTZ(3),
ADD COLUMN     "next_key" UUID;

-- AlterTable
ALTER TABLE "refund" ADD COLUMN     "destination" TEXT NOT NULL,
ADD COLUMN     "done_at" TIMESTAMPTZ(3),
ADD COLUMN     "key" TEXT,
ADD COLUMN     "kind" TEXT NOT NULL,
ADD COLUMN     "order_id" INTEGER,
ALTER COLUMN "payment_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "test_refund" (
    "id" TEXT NOT NULL,
    "charge_id" TEXT NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "test_refund_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "test_refund_charge_id_idx" ON "test_refund"("charge_id");

-- CreateIndex
CREATE UNIQUE INDEX "customer_stripe_customer_id_key" ON "customer"("stripe_customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "refund_key_key" ON "refund"("key");

-- CreateIndex
CREATE INDEX "refund_order_id_idx" ON "refund"("order_id");

-- CreateIndex
CREATE INDEX "refund_state_created_at_idx" ON "refund"("state", "created_at");

-- AddForeignKey
ALTER TABLE "refund" ADD CONSTRAINT "refund_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refund" ADD CONSTRAINT "refund_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.
alter table refund
  add constraint refund_kind_check check (kind in ('care', 'short', 'cancel', 'stray')),
  add constraint refund_destination_check check (destination in ('card', 'credit') and (destination = 'credit' or payment_id is not null));
alter table test_refund add constraint test_refund_amount_check check (amount_cents > 0);
