-- Written by hand: what Prisma's datamodel cannot say.

-- Ledger transactions sum to zero after every statement. Entries are never changed or deleted, so it is enough that the entries
-- of each statement do: one check of the inserted rows, instead of one read of the transaction for each row at commit.
drop trigger ledger_entry_balanced on ledger_entry;
create or replace function ledger_balanced() returns trigger language plpgsql as $$
declare
  unbalanced int;
begin
  select transaction_id into unbalanced from inserted group by transaction_id having sum(amount_cents) <> 0 limit 1;
  if found then
    raise exception 'ledger transaction % does not sum to zero', unbalanced using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_entry_balanced after insert on ledger_entry referencing new table as inserted
  for each statement execute function ledger_balanced();
