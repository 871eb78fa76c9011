-- AlterTable
ALTER TABLE "answer_link" DROP CONSTRAINT "answer_link_pkey",
DROP COLUMN "token_hash",
ADD COLUMN     "created_at" TIMESTAMPTZ(3) NOT NULL,
ADD COLUMN     "id" UUID NOT NULL,
ADD CONSTRAINT "answer_link_pkey" PRIMARY KEY ("id");

-- CreateTable
CREATE TABLE "bot_proof" (
    "nonce" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bot_proof_pkey" PRIMARY KEY ("nonce")
);

-- CreateIndex
CREATE INDEX "bot_proof_expires_at_idx" ON "bot_proof"("expires_at");

-- CreateIndex
CREATE INDEX "answer_link_matter_matter_id_idx" ON "answer_link"("matter", "matter_id");

-- Written by hand: what Prisma's datamodel cannot say.
-- One live link a matter: the next message of a thread goes out with the same one.
CREATE UNIQUE INDEX "answer_link_live_key" ON "answer_link" ("matter", "matter_id") WHERE "used_at" IS NULL AND "revoked_at" IS NULL;
-- Who wrote before, the same thing, in the same hour: asked for each application and each contact.
CREATE INDEX "lead_email_kind_idx" ON "lead" ("email", "kind", "created_at");
