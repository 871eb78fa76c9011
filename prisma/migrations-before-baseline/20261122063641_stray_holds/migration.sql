-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "look_again_at" TIMESTAMPTZ(3),
ADD COLUMN     "unseen_since" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "payment_look_again_at_idx" ON "payment"("look_again_at");

-- Written by hand: what Prisma's datamodel cannot say.
