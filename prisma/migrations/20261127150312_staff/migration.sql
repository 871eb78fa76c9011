-- CreateTable
CREATE TABLE "staff" (
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "totp_secret" TEXT,
    "totp_last_step" BIGINT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    "last_seen_at" TIMESTAMPTZ(3),

    CONSTRAINT "staff_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_grant" (
    "id" SERIAL NOT NULL,
    "staff_id" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "hub_id" INTEGER,

    CONSTRAINT "staff_grant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_link" (
    "token_hash" TEXT NOT NULL,
    "staff_id" INTEGER NOT NULL,
    "purpose" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "staff_link_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "staff_passkey" (
    "id" TEXT NOT NULL,
    "staff_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "is_synced" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "staff_passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_recovery_code" (
    "code_hash" TEXT NOT NULL,
    "staff_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "staff_recovery_code_pkey" PRIMARY KEY ("code_hash")
);

-- CreateTable
CREATE TABLE "staff_challenge" (
    "challenge_hash" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "browser" TEXT NOT NULL,
    "staff_id" INTEGER,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "staff_challenge_pkey" PRIMARY KEY ("challenge_hash")
);

-- CreateTable
CREATE TABLE "staff_session" (
    "id" UUID NOT NULL,
    "staff_id" INTEGER NOT NULL,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "stepped_up_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "staff_session_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "staff_email_key" ON "staff"("email");

-- CreateIndex
CREATE INDEX "staff_grant_staff_id_idx" ON "staff_grant"("staff_id");

-- CreateIndex
CREATE INDEX "staff_grant_hub_id_idx" ON "staff_grant"("hub_id");

-- CreateIndex
CREATE INDEX "staff_link_staff_id_idx" ON "staff_link"("staff_id");

-- CreateIndex
CREATE INDEX "staff_passkey_staff_id_idx" ON "staff_passkey"("staff_id");

-- CreateIndex
CREATE INDEX "staff_recovery_code_staff_id_idx" ON "staff_recovery_code"("staff_id");

-- CreateIndex
CREATE INDEX "staff_challenge_expires_at_idx" ON "staff_challenge"("expires_at");

-- CreateIndex
CREATE INDEX "staff_challenge_staff_id_idx" ON "staff_challenge"("staff_id");

-- CreateIndex
CREATE INDEX "staff_session_staff_id_idx" ON "staff_session"("staff_id");

-- CreateIndex
CREATE INDEX "staff_session_last_seen_at_idx" ON "staff_session"("last_seen_at");

-- AddForeignKey
ALTER TABLE "staff_grant" ADD CONSTRAINT "staff_grant_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_grant" ADD CONSTRAINT "staff_grant_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_link" ADD CONSTRAINT "staff_link_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_passkey" ADD CONSTRAINT "staff_passkey_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_recovery_code" ADD CONSTRAINT "staff_recovery_code_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_challenge" ADD CONSTRAINT "staff_challenge_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_session" ADD CONSTRAINT "staff_session_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.

alter table staff add constraint staff_email_lower check (email = lower(email));
alter table staff_grant add constraint staff_grant_role check (role in ('owner', 'manager', 'hub_lead', 'support', 'bookkeeper', 'editor', 'depot_lead', 'auditor'));
-- An owner owns the whole market.
alter table staff_grant add constraint staff_grant_owner_everywhere check (role <> 'owner' or hub_id is null);
create unique index staff_grant_once on staff_grant (staff_id, role, hub_id) nulls not distinct;
alter table staff_link add constraint staff_link_purpose check (purpose in ('invite', 'reset'));
alter table staff_challenge add constraint staff_challenge_purpose check (purpose in ('sign_in', 'invite', 'add_passkey', 'step_up'));

-- Every server drops what it has cached of a person whose access changed.
create function notify_staff() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform pg_notify('staff', old.staff_id::text);
    return old;
  end if;
  perform pg_notify('staff', new.staff_id::text);
  return new;
end $$;
create function notify_staff_member() returns trigger language plpgsql as $$
begin
  perform pg_notify('staff', new.id::text);
  return new;
end $$;
create trigger staff_grant_changed after insert or update or delete on staff_grant for each row execute function notify_staff();
-- Not for last_seen_at, which is written once a minute.
create trigger staff_changed after update of email, name, password_hash, version, disabled_at on staff for each row
  execute function notify_staff_member();
create trigger staff_session_ended after update of ended_at, stepped_up_at on staff_session for each row
  when (new.ended_at is not null or new.stepped_up_at is not null) execute function notify_staff();
create trigger staff_session_deleted after delete on staff_session for each row execute function notify_staff();
