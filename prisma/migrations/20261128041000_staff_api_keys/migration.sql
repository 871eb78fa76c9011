-- CreateTable
CREATE TABLE "staff_api_key" (
    "id" SERIAL NOT NULL,
    "staff_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "key_hash" TEXT NOT NULL,
    "start" TEXT NOT NULL,
    "permissions" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "staff_api_key_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "staff_api_key_key_hash_key" ON "staff_api_key"("key_hash");

-- CreateIndex
CREATE INDEX "staff_api_key_staff_id_idx" ON "staff_api_key"("staff_id");

-- AddForeignKey
ALTER TABLE "staff_api_key" ADD CONSTRAINT "staff_api_key_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.

alter table staff_api_key alter column permissions set not null;
alter table staff_api_key add constraint staff_api_key_hashed check (key_hash ~ '^[0-9a-f]{64}$');
alter table staff_api_key add constraint staff_api_key_within_a_year
  check (expires_at > created_at and expires_at <= created_at + interval '8760 hours');
alter table staff_api_key add constraint staff_api_key_opens_something check (cardinality(permissions) > 0);

-- Every server drops what it has cached of a key that was revoked. Not for last_used_at, which is written once a minute.
create trigger staff_api_key_changed after update of revoked_at, permissions, expires_at on staff_api_key for each row
  execute function notify_staff();
create trigger staff_api_key_deleted after delete on staff_api_key for each row execute function notify_staff();
