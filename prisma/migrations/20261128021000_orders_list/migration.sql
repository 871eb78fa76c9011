-- CreateTable
CREATE TABLE "saved_view" (
    "id" SERIAL NOT NULL,
    "screen" TEXT NOT NULL,
    "staff_id" INTEGER,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "sort" TEXT NOT NULL,
    "columns" TEXT[],
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "saved_view_staff_id_idx" ON "saved_view"("staff_id");

-- AddForeignKey
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.

alter table saved_view add constraint saved_view_known check (screen in ('orders', 'products') and name <> '');
-- One name for each view that a person sees: those of the market, and each person's.
create unique index saved_view_name on saved_view (screen, coalesce(staff_id, 0), lower(name));

-- The searches for orders and for people: a part of a name, an email, the digits of a phone number; an address of an order.
create index customer_search on customer using gin (
  (first_name || ' ' || last_name) gin_trgm_ops, email gin_trgm_ops, regexp_replace(phone, '[^0-9]', '', 'g') gin_trgm_ops);
create index order_address_search on orders using gin (
  ((address->>'address') || ' ' || (address->>'city') || ' ' || (address->>'zipCode')) gin_trgm_ops);

-- The orders of a box; how many boxes a hub has; the latest days; payments to collect at the door: few of all.
create index order_box on orders ((coalesce(add_on_to_id, id)));
create index order_first on orders (hub_id) where add_on_to_id is null;
create index delivery_day on delivery (day);
create index payment_to_collect on payment (id) where provider = 'offline' and state = 'authorized';
create index order_pickup_point on orders (pickup_point_id) where pickup_point_id is not null;
