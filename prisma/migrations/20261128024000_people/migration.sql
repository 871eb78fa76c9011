-- AlterTable
ALTER TABLE "staff_action" ADD COLUMN     "superseded_at" TIMESTAMPTZ(3);

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

-- Written by hand: what Prisma's datamodel cannot say.
-- A note on a person whose account was deleted meanwhile is not written (20261125014000).
create trigger customer_exists after insert on customer_note for each row
  execute function reject_deleted_customer();

-- Indexes of the search for people. Parts of their texts are in `customer_search`.
create index customer_newest on customer (created_at, id) where deleted_at is null;
create index payment_method_last4 on payment_method (last4) where deleted_at is null;

-- The emails to a person, and their problems.
create index mail_to on mail (to_email);
create index problem_report_customer on problem_report (customer_id);
