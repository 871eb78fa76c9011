-- AlterTable
ALTER TABLE "review" ADD COLUMN "hidden_at" TIMESTAMPTZ(3), ADD COLUMN "hidden_by" INTEGER, ADD COLUMN "hidden_reason" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "question" ADD COLUMN "hidden_at" TIMESTAMPTZ(3), ADD COLUMN "hidden_by" INTEGER, ADD COLUMN "hidden_reason" TEXT NOT NULL DEFAULT '',
ADD COLUMN "answer_hidden_at" TIMESTAMPTZ(3), ADD COLUMN "answer_hidden_by" INTEGER, ADD COLUMN "answer_hidden_reason" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "endorsement" ADD COLUMN "hidden_at" TIMESTAMPTZ(3), ADD COLUMN "hidden_by" INTEGER, ADD COLUMN "hidden_reason" TEXT NOT NULL DEFAULT '';

-- Numbered by time, not by place in the file: a backup of before that is restored has the numbers that an upgrade in place gives.
create sequence endorsement_id_seq as integer;
alter table endorsement add column id integer;
update endorsement e set id = n.id from (
  select customer_id, vendor_id, row_number() over (order by created_at, customer_id, vendor_id) as id from endorsement
) n where n.customer_id = e.customer_id and n.vendor_id = e.vendor_id;
select setval('endorsement_id_seq', coalesce(max(id), 0) + 1, false) from endorsement;
alter table endorsement alter column id set default nextval('endorsement_id_seq'), alter column id set not null;
alter sequence endorsement_id_seq owned by endorsement.id;

-- CreateTable
CREATE TABLE "inbox_state" (
    "kind" TEXT NOT NULL,
    "item_id" INTEGER NOT NULL,
    "assignee_id" INTEGER,
    "closed_at" TIMESTAMPTZ(3),
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "inbox_state_pkey" PRIMARY KEY ("kind","item_id")
);

-- CreateTable
CREATE TABLE "inbox_reply" (
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "item_id" INTEGER NOT NULL,
    "staff_id" INTEGER,
    "text" TEXT NOT NULL,
    "action_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "inbox_reply_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reply_template" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "reply_template_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "endorsement_id_key" ON "endorsement"("id");

-- CreateIndex
CREATE INDEX "inbox_state_assignee_id_idx" ON "inbox_state"("assignee_id");

-- CreateIndex
CREATE UNIQUE INDEX "inbox_reply_action_id_key" ON "inbox_reply"("action_id");

-- CreateIndex
CREATE INDEX "inbox_reply_kind_item_id_idx" ON "inbox_reply"("kind", "item_id");

-- CreateIndex
CREATE INDEX "inbox_reply_staff_id_idx" ON "inbox_reply"("staff_id");

-- CreateIndex
CREATE UNIQUE INDEX "reply_template_name_key" ON "reply_template"("name");

-- AddForeignKey
ALTER TABLE "inbox_state" ADD CONSTRAINT "inbox_state_assignee_id_fkey" FOREIGN KEY ("assignee_id") REFERENCES "staff"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbox_reply" ADD CONSTRAINT "inbox_reply_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.

alter table inbox_state add constraint inbox_state_known check (
  kind in ('message', 'question', 'review', 'endorsement', 'problem', 'contact', 'application'));

-- What came more than 7 days before the inbox was answered from the mailbox or by phone.
insert into inbox_state (kind, item_id, closed_at)
select case kind when 'contact' then 'contact' else 'application' end, id, created_at from lead
where kind in ('contact', 'vendor', 'driver', 'job') and created_at < now() - interval '7 days'
union all
select 'question', id, created_at from question where answer is null and created_at < now() - interval '7 days'
union all
select 'message', t.id, m.created_at from thread t
cross join lateral (select x.sender, x.created_at from message x where x.thread_id = t.id order by x.created_at desc, x.id desc limit 1) m
where m.sender = 'C' and m.created_at < now() - interval '7 days';

-- A vendor's score leaves the caches with an endorsement that is hidden, or shown again.
create function notify_endorsement_hidden() returns trigger language plpgsql as $$
begin
  perform notify_change('listing', null, '{}');
  return null;
end $$;
create trigger endorsement_notify_hidden after update of hidden_at on endorsement
  for each row when (old.hidden_at is distinct from new.hidden_at) execute function notify_endorsement_hidden();
