-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN     "hub_id" INTEGER;

-- Written by hand: what Prisma's datamodel cannot say.

-- The market of a subject of the audit log: "order:123456789", "delivery:20", "hub:3", "customer:12", "payment:…"; null: of none.
create function audit_hub(subject text) returns int language sql stable as $$
  select case split_part(subject, ':', 1)
    when 'order' then (select o.hub_id from orders o where o.id = case when subject ~ '^order:\d{1,9}$' then split_part(subject, ':', 2)::int end)
    when 'delivery' then (select d.hub_id from delivery d where d.id = case when subject ~ '^delivery:\d{1,9}$' then split_part(subject, ':', 2)::int end)
    when 'hub' then (select h.id from hub h where h.id = case when subject ~ '^hub:\d{1,9}$' then split_part(subject, ':', 2)::int end)
    when 'customer' then (select c.hub_id from customer c where c.id = case when subject ~ '^customer:\d{1,9}$' then split_part(subject, ':', 2)::int end)
    when 'payment' then (select o.hub_id from orders o where o.payment_id = case when subject ~ '^payment:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then split_part(subject, ':', 2)::uuid end order by o.id limit 1)
  end
$$;

alter table audit_entry disable trigger audit_entry_append_only;
update audit_entry set hub_id = audit_hub(subject) where split_part(subject, ':', 1) in ('order', 'delivery', 'hub', 'customer', 'payment');
-- Addresses of people outlive their accounts in no table: from now on they are not written.
update audit_entry set data = data - 'recipientEmail' where action = 'gift-cards issue' and data ? 'recipientEmail';
update audit_entry set data = data - 'from' - 'to' where action = 'gift-cards resend' and (data ? 'from' or data ? 'to');
alter table audit_entry enable trigger audit_entry_append_only;

-- CreateIndex
CREATE INDEX "audit_entry_created_at_id_idx" ON "audit_entry"("created_at", "id");

-- CreateIndex
CREATE INDEX "audit_entry_subject_created_at_id_idx" ON "audit_entry"("subject", "created_at", "id");

-- CreateIndex
CREATE INDEX "audit_entry_actor_created_at_id_idx" ON "audit_entry"("actor", "created_at", "id");

-- CreateIndex
CREATE INDEX "audit_entry_action_created_at_id_idx" ON "audit_entry"("action", "created_at", "id");

-- CreateIndex
CREATE INDEX "audit_entry_hub_id_created_at_id_idx" ON "audit_entry"("hub_id", "created_at", "id");

-- DropIndex
DROP INDEX "audit_entry_subject_idx";

-- Written by hand: a person of a kind ("customer"), what an entry names in its data (its action too), and its words.
create index audit_entry_kind on audit_entry (split_part(actor, ':', 1), created_at, id);
create index audit_entry_data on audit_entry using gin (data jsonb_path_ops);
create index audit_entry_words on audit_entry using gin
  ((actor || ' ' || action || ' ' || subject || ' ' || reason || ' ' || data::text) gin_trgm_ops);

-- The staff's open pages say that there are new entries.
create function notify_audit() returns trigger language plpgsql as $$
begin
  perform pg_notify('audit', '');
  return null;
end $$;
create trigger audit_entry_notify after insert on audit_entry for each statement execute function notify_audit();
