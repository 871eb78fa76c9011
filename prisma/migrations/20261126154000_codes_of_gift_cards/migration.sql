-- AlterTable
ALTER TABLE "gift_card" ADD COLUMN     "code_version" INTEGER NOT NULL DEFAULT 1;

-- CreateIndex
CREATE INDEX "gift_card_buyer_id_idx" ON "gift_card"("buyer_id");
