-- AlterTable
ALTER TABLE "delivery_run" ADD COLUMN     "progress" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "snapshot" ADD COLUMN     "is_complete" BOOLEAN NOT NULL DEFAULT true;

-- Written by hand: what Prisma's datamodel cannot say.

-- The one change a version sees: it becomes complete.
drop trigger snapshot_frozen on snapshot;
create trigger snapshot_frozen before update on snapshot for each row
  when (old.is_complete or not new.is_complete or to_jsonb(old) - 'is_complete' <> to_jsonb(new) - 'is_complete') execute function append_only();
