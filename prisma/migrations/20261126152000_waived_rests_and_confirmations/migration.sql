-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "waived_cents" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "unconfirmed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "wagon_pass" ADD COLUMN     "unconfirmed_method_id" INTEGER;

alter table orders
  drop constraint orders_total_check,
  add constraint orders_total_check check (order_total_cents = items_cents + tip_cents + tax_cents + card_fee_cents + delivery_fee_cents - discount_cents - waived_cents) not valid,
  add constraint orders_waived_check check (waived_cents between 0 and 49) not valid;
