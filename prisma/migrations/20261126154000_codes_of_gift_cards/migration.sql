-- AlterTable
ALTER TABLE "gift_card" ADD COLUMN     "code_version" INTEGER NOT NULL DEFAULT 1;
