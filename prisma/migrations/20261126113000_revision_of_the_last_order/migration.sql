-- AlterTable
ALTER TABLE "cart" ADD COLUMN     "ordered_version" INTEGER NOT NULL DEFAULT 0;
