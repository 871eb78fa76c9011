-- CreateTable
CREATE TABLE "staff_action_order" (
    "action_id" INTEGER NOT NULL,
    "order_id" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "problem" TEXT,
    "cancelled_ids" INTEGER[],

    CONSTRAINT "staff_action_order_pkey" PRIMARY KEY ("action_id","order_id")
);

-- CreateIndex
CREATE INDEX "staff_action_order_order_id_idx" ON "staff_action_order"("order_id");

-- AddForeignKey
ALTER TABLE "staff_action_order" ADD CONSTRAINT "staff_action_order_action_id_fkey" FOREIGN KEY ("action_id") REFERENCES "staff_action"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_action_order" ADD CONSTRAINT "staff_action_order_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.

alter table staff_action_order add constraint staff_action_order_known check (
  state in ('waiting', 'begun', 'done', 'unchanged', 'failed') and (state = 'failed') = (problem is not null));
