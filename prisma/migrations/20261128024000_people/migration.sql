-- CreateTable
CREATE TABLE "customer_note" (
    "id" SERIAL NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "staff_id" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "customer_note_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "customer_note_customer_id_idx" ON "customer_note"("customer_id");

-- CreateIndex
CREATE INDEX "customer_note_staff_id_idx" ON "customer_note"("staff_id");

-- AddForeignKey
ALTER TABLE "customer_note" ADD CONSTRAINT "customer_note_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer_note" ADD CONSTRAINT "customer_note_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Written by hand: the indexes of the search for people (`customer-search-sql.ts` has the same expressions).
create index customer_email_part on customer using gin (email gin_trgm_ops) where deleted_at is null;
create index customer_name_part on customer using gin (lower(first_name || ' ' || last_name) gin_trgm_ops) where deleted_at is null;
create index customer_phone_part on customer using gin (regexp_replace(phone, '[^0-9]', '', 'g') gin_trgm_ops)
  where phone is not null and deleted_at is null;
create index customer_newest on customer (created_at, id) where deleted_at is null;
create index payment_method_last4 on payment_method (last4) where deleted_at is null;

-- The emails to a person, and their problems.
create index mail_to on mail (to_email);
create index problem_report_customer on problem_report (customer_id);
