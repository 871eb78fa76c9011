-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "card_fingerprint" TEXT;

-- AlterTable
ALTER TABLE "test_charge" ADD COLUMN     "card_fingerprint" TEXT NOT NULL DEFAULT '';

-- Written by hand: what Prisma's datamodel cannot say.
update "referral" set "refused" = 'email' where "refused" = 'same e-mail';
