-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "counted_as" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- Written by hand: what Prisma's datamodel cannot say.
