-- CreateTable
CREATE TABLE "email_change" (
    "id" SERIAL NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "old_email" TEXT NOT NULL,
    "new_email" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "email_change_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "email_change_token_hash_key" ON "email_change"("token_hash");

-- CreateIndex
CREATE INDEX "email_change_customer_id_idx" ON "email_change"("customer_id");

-- AddForeignKey
ALTER TABLE "email_change" ADD CONSTRAINT "email_change_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.
