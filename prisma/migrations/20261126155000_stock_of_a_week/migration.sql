-- AlterTable
ALTER TABLE "checkout_attempt" ADD COLUMN     "stock_mark" INTEGER;

-- AlterTable
ALTER TABLE "stock_adjustment" ADD COLUMN     "level" INTEGER,
ADD COLUMN     "stock_mark" INTEGER;
