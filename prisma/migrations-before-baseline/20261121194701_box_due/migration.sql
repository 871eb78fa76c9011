-- AlterTable
ALTER TABLE "snapshot_box" ADD COLUMN     "due_cents" INTEGER NOT NULL DEFAULT 0;

-- Written by hand: what Prisma's datamodel cannot say.
alter table snapshot_box add constraint snapshot_box_due_check check (due_cents >= 0);
