-- AlterTable
ALTER TABLE "cart_item" ADD COLUMN     "hub_id" INTEGER;

-- AlterTable
ALTER TABLE "customer" ADD COLUMN     "lat" DOUBLE PRECISION,
ADD COLUMN     "lng" DOUBLE PRECISION;

-- AddForeignKey
ALTER TABLE "cart_item" ADD CONSTRAINT "cart_item_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE SET NULL ON UPDATE CASCADE NOT VALID;

-- Written by hand: what Prisma's datamodel cannot say.

-- The point of a deleted customer stays empty, as everything else of the person (docs/failures.md L2).
create trigger customer_point_stays_empty before update on customer for each row when (
  old.deleted_at is not null and (new.lat, new.lng) is distinct from (old.lat, old.lng)
) execute function keep_deleted_customer_empty();
