-- AlterTable
ALTER TABLE "customer" ADD COLUMN     "pickup_point_id" INTEGER;

-- AddForeignKey
ALTER TABLE "customer" ADD CONSTRAINT "customer_pickup_point_id_fkey" FOREIGN KEY ("pickup_point_id") REFERENCES "pickup_point"("id") ON DELETE SET NULL ON UPDATE CASCADE NOT VALID;
