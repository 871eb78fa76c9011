-- CreateTable
CREATE TABLE "snapshot" (
    "id" SERIAL NOT NULL,
    "delivery_id" INTEGER NOT NULL,
    "hub_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "hub_name" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "cutoff_at" TIMESTAMPTZ(3) NOT NULL,
    "frozen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "snapshot_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "snapshot_box" (
    "snapshot_id" INTEGER NOT NULL,
    "order_id" INTEGER NOT NULL,
    "tote" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "phone" TEXT NOT NULL DEFAULT '',
    "type" TEXT NOT NULL,
    "address" JSONB,
    "pickup" JSONB,
    "delivery_notes" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "snapshot_box_pkey" PRIMARY KEY ("snapshot_id","order_id")
);

-- CreateTable
CREATE TABLE "snapshot_line" (
    "id" SERIAL NOT NULL,
    "snapshot_id" INTEGER NOT NULL,
    "box_order_id" INTEGER NOT NULL,
    "order_id" INTEGER NOT NULL,
    "order_item_id" INTEGER NOT NULL,
    "variant_id" INTEGER NOT NULL,
    "vendor_id" INTEGER NOT NULL,
    "vendor_name" TEXT NOT NULL,
    "product_title" TEXT NOT NULL,
    "variant_title" TEXT NOT NULL,
    "unit" TEXT,
    "storage" TEXT NOT NULL,
    "bundle_title" TEXT,
    "quantity" INTEGER NOT NULL,
    "unit_price_cents" INTEGER NOT NULL,
    "commission_ppm" INTEGER NOT NULL,

    CONSTRAINT "snapshot_line_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "snapshot_hub_id_day_idx" ON "snapshot"("hub_id", "day");

-- CreateIndex
CREATE UNIQUE INDEX "snapshot_delivery_id_version_key" ON "snapshot"("delivery_id", "version");

-- CreateIndex
CREATE INDEX "snapshot_box_order_id_idx" ON "snapshot_box"("order_id");

-- CreateIndex
CREATE UNIQUE INDEX "snapshot_box_snapshot_id_tote_key" ON "snapshot_box"("snapshot_id", "tote");

-- CreateIndex
CREATE INDEX "snapshot_line_snapshot_id_vendor_id_idx" ON "snapshot_line"("snapshot_id", "vendor_id");

-- CreateIndex
CREATE INDEX "snapshot_line_snapshot_id_box_order_id_idx" ON "snapshot_line"("snapshot_id", "box_order_id");

-- CreateIndex
CREATE UNIQUE INDEX "snapshot_line_snapshot_id_order_item_id_key" ON "snapshot_line"("snapshot_id", "order_item_id");

-- AddForeignKey
ALTER TABLE "snapshot" ADD CONSTRAINT "snapshot_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snapshot_box" ADD CONSTRAINT "snapshot_box_snapshot_id_fkey" FOREIGN KEY ("snapshot_id") REFERENCES "snapshot"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snapshot_box" ADD CONSTRAINT "snapshot_box_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snapshot_line" ADD CONSTRAINT "snapshot_line_snapshot_id_box_order_id_fkey" FOREIGN KEY ("snapshot_id", "box_order_id") REFERENCES "snapshot_box"("snapshot_id", "order_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.

-- The clock's steps now include its reminders.
alter table delivery_run
  drop constraint delivery_run_step_check,
  add constraint delivery_run_step_check check (step in ('open', 'remind_auto_checkout', 'auto_checkout', 'remind_order_by', 'cutoff', 'close'));

-- What is frozen stays frozen. Boxes alone may lose the person's name and address.
alter table snapshot
  add constraint snapshot_version_check check (version >= 1),
  add constraint snapshot_frozen_check check (frozen_at >= cutoff_at);
alter table snapshot_box
  add constraint snapshot_box_tote_check check (tote >= 1),
  add constraint snapshot_box_type_check check (type in ('delivery', 'pickup'));
alter table snapshot_line add constraint snapshot_line_quantity_check check (quantity > 0);
create trigger snapshot_frozen before update on snapshot for each row execute function append_only();
create trigger snapshot_line_frozen before update on snapshot_line for each row execute function append_only();
create function forget_snapshots() returns trigger language plpgsql as $$
begin
  update snapshot_box b set name = '', phone = '', delivery_notes = '', address = null
  from orders o where o.id = b.order_id and o.customer_id = old.id;
  return null;
end $$;
create trigger customer_deleted_snapshots after update of deleted_at on customer for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function forget_snapshots();

-- The next work to claim, found without reading what is done (10,000 carts of one auto-checkout).
create index job_claim_open_idx on job_claim (job, lease_until, subject) where done_at is null;
create index mail_waiting_idx on mail (id) where sent_at is null;
