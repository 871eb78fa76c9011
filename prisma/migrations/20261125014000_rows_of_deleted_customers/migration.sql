-- Written by hand: what Prisma's datamodel cannot say.

-- A request that began before its customer was deleted must not write personal rows after the deletion (docs/failures.md L2).
-- The trigger waits for the deletion at the customer's row, as the foreign key does, and then reads whether it committed.
create function reject_deleted_customer() returns trigger language plpgsql as $$
declare
  deleted timestamptz;
begin
  select deleted_at into deleted from customer where id = new.customer_id for key share;
  if deleted is not null then
    raise exception 'customer % is deleted', new.customer_id using errcode = 'MD001';
  end if;
  return null;
end $$;

-- Rows that such requests left.
do $$
declare
  name text;
begin
  foreach name in array array['address', 'bundle_subscription', 'cart', 'data_export', 'email_change', 'endorsement',
    'favorite_product', 'follow', 'identify_event', 'password_reset', 'problem_report', 'question', 'review', 'session',
    'subscription', 'subscription_skip', 'survey_answer', 'thread'] loop
    execute format('create trigger customer_exists after insert on %I for each row when (new.customer_id is not null)
      execute function reject_deleted_customer()', name);
    if name not in ('question', 'review', 'session', 'survey_answer') then
      execute format('delete from %I using customer c where c.id = customer_id and c.deleted_at is not null', name);
    end if;
  end loop;
  delete from question q using customer c where c.id = q.customer_id and c.deleted_at is not null and q.answer is null;
end $$;
