-- CreateTable
CREATE TABLE "order_note" (
    "id" SERIAL NOT NULL,
    "order_id" INTEGER NOT NULL,
    "customer_id" INTEGER,
    "kind" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "edited_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "order_note_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "order_note_order_id_idx" ON "order_note"("order_id");

-- CreateIndex
CREATE INDEX "order_note_customer_id_idx" ON "order_note"("customer_id");

-- AddForeignKey
ALTER TABLE "order_note" ADD CONSTRAINT "order_note_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_note" ADD CONSTRAINT "order_note_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.

alter table order_note add constraint order_note_known check (kind in ('inside', 'driver', 'shopper') and text <> '');

-- A note on the order of an account that was deleted meanwhile is not written (20261125014000).
create trigger customer_exists after insert on order_note for each row when (new.customer_id is not null)
  execute function reject_deleted_customer();

-- The staff's open pages reread the box (20261127151500_day_notifications).
create function notify_orders_of_note() returns trigger language plpgsql as $$
begin
  perform pg_notify('orders', json_build_object('hubId', o.hub_id, 'deliveryId', o.delivery_id)::text)
    from (select distinct o.hub_id, o.delivery_id from orders o where o.id in (select order_id from written)) as o;
  return null;
end $$;
create trigger order_note_notify_insert after insert on order_note referencing new table as written
  for each statement execute function notify_orders_of_note();
create trigger order_note_notify_update after update on order_note referencing new table as written
  for each statement execute function notify_orders_of_note();
