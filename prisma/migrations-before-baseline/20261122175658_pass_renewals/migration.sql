-- AlterTable
ALTER TABLE "wagon_pass" ADD COLUMN     "declined" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "retry_at" TIMESTAMPTZ(3);

-- Written by hand: what Prisma's datamodel cannot say.
