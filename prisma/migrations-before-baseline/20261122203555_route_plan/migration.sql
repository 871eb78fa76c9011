-- CreateTable
CREATE TABLE "route_plan" (
    "snapshot_id" INTEGER NOT NULL,
    "drivers" INTEGER NOT NULL,
    "routes" JSONB NOT NULL,
    "planned_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "route_plan_pkey" PRIMARY KEY ("snapshot_id")
);

-- AddForeignKey
ALTER TABLE "route_plan" ADD CONSTRAINT "route_plan_snapshot_id_fkey" FOREIGN KEY ("snapshot_id") REFERENCES "snapshot"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.

-- What is printed stays printed: another plan belongs to another version.
alter table route_plan add constraint route_plan_drivers_check check (drivers >= 1);
create trigger route_plan_frozen before update on route_plan for each row execute function append_only();
