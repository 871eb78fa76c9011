-- AlterTable
ALTER TABLE "shortage" ADD COLUMN     "by_vendor" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "vendor_arrival" ADD COLUMN     "confirmed_units" JSONB;

-- CreateTable
CREATE TABLE "harvest_link" (
    "id" UUID NOT NULL,
    "delivery_id" INTEGER NOT NULL,
    "vendor_id" INTEGER NOT NULL,
    "email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "harvest_link_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "harvest_link_delivery_id_vendor_id_idx" ON "harvest_link"("delivery_id", "vendor_id");

-- CreateIndex
CREATE INDEX "harvest_link_vendor_id_idx" ON "harvest_link"("vendor_id");

-- AddForeignKey
ALTER TABLE "harvest_link" ADD CONSTRAINT "harvest_link_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "harvest_link" ADD CONSTRAINT "harvest_link_vendor_id_fkey" FOREIGN KEY ("vendor_id") REFERENCES "vendor"("id") ON DELETE CASCADE ON UPDATE CASCADE;
