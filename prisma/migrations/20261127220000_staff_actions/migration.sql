-- CreateTable
CREATE TABLE "shortage" (
    "id" SERIAL NOT NULL,
    "delivery_id" INTEGER NOT NULL,
    "variant_id" INTEGER NOT NULL,
    "came" INTEGER NOT NULL,
    "of" INTEGER NOT NULL,
    "gets" JSONB,
    "refund_to" TEXT NOT NULL,
    "bearer" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT 'counted',
    "version" INTEGER NOT NULL DEFAULT 1,
    "action_id" INTEGER,
    "begun_at" TIMESTAMPTZ(3),
    "withheld" INTEGER NOT NULL DEFAULT 0,
    "stock_mark" INTEGER,
    "counted_by" TEXT NOT NULL,
    "counted_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_by" TEXT,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "shortage_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "vendor_arrival" (
    "delivery_id" INTEGER NOT NULL,
    "vendor_id" INTEGER NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "confirmed_by" TEXT,
    "arrived_at" TIMESTAMPTZ(3),
    "arrived_by" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "vendor_arrival_pkey" PRIMARY KEY ("delivery_id","vendor_id")
);

-- CreateTable
CREATE TABLE "staff_action" (
    "id" SERIAL NOT NULL,
    "staff_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "hub_id" INTEGER NOT NULL,
    "delivery_id" INTEGER NOT NULL,
    "subject" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "summary" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "staff_action_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "shortage_action_id_key" ON "shortage"("action_id");

-- CreateIndex
CREATE INDEX "shortage_delivery_id_idx" ON "shortage"("delivery_id");

-- CreateIndex
CREATE INDEX "shortage_variant_id_idx" ON "shortage"("variant_id");

-- CreateIndex
CREATE INDEX "vendor_arrival_vendor_id_idx" ON "vendor_arrival"("vendor_id");

-- CreateIndex
CREATE INDEX "staff_action_staff_id_idx" ON "staff_action"("staff_id");

-- CreateIndex
CREATE INDEX "staff_action_hub_id_created_at_idx" ON "staff_action"("hub_id", "created_at");

-- CreateIndex
CREATE INDEX "staff_action_created_at_id_idx" ON "staff_action"("created_at", "id");

-- CreateIndex
CREATE INDEX "staff_action_delivery_id_idx" ON "staff_action"("delivery_id");

-- CreateIndex
CREATE INDEX "staff_action_subject_idx" ON "staff_action"("subject");

-- AddForeignKey
ALTER TABLE "shortage" ADD CONSTRAINT "shortage_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "shortage" ADD CONSTRAINT "shortage_variant_id_fkey" FOREIGN KEY ("variant_id") REFERENCES "variant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "shortage" ADD CONSTRAINT "shortage_action_id_fkey" FOREIGN KEY ("action_id") REFERENCES "staff_action"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vendor_arrival" ADD CONSTRAINT "vendor_arrival_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vendor_arrival" ADD CONSTRAINT "vendor_arrival_vendor_id_fkey" FOREIGN KEY ("vendor_id") REFERENCES "vendor"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_action" ADD CONSTRAINT "staff_action_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_action" ADD CONSTRAINT "staff_action_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_action" ADD CONSTRAINT "staff_action_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.

alter table staff_action add constraint staff_action_known check (
  kind in ('short', 'cancel_order', 'resend_mail', 'mark_paid') and state in ('held', 'running', 'done', 'undone', 'refused')
  and (state in ('held', 'running')) = (ended_at is null) and (state <> 'held' or due_at is not null));
create index staff_action_due on staff_action (due_at) where state in ('held', 'running');

alter table shortage add constraint shortage_known check (
  refund_to in ('card', 'credit') and bearer in ('vendor', 'market') and state in ('counted', 'held', 'settled', 'removed')
  and came >= 0 and "of" >= 0 and withheld >= 0 and (state = 'settled') = (settled_at is not null));
-- One count of an item at a time: the second person sees the first one's.
create unique index shortage_open on shortage (delivery_id, variant_id) where state in ('counted', 'held');

-- The staff's open pages reread the day (20261127151500_day_notifications).
create trigger staff_action_notify_insert after insert on staff_action referencing new table as written
  for each statement execute function notify_day();
create trigger staff_action_notify_update after update on staff_action referencing new table as written
  for each statement execute function notify_day();
create trigger shortage_notify_insert after insert on shortage referencing new table as written
  for each statement execute function notify_day();
create trigger shortage_notify_update after update on shortage referencing new table as written
  for each statement execute function notify_day();
create trigger vendor_arrival_notify_insert after insert on vendor_arrival referencing new table as written
  for each statement execute function notify_day();
create trigger vendor_arrival_notify_update after update on vendor_arrival referencing new table as written
  for each statement execute function notify_day();

-- The mails of an order.
create index mail_order on mail ((data->>'orderId')) where data->>'orderId' is not null;

-- Bookings that name their order in the note alone: no payment is left.
create index ledger_transaction_named on ledger_transaction (created_at)
  where order_id is null and payment_id is null and kind in ('refund', 'write_off');
