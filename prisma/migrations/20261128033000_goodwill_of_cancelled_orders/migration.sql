-- Goodwill of orders that were canceled before: the vendors who bear it have it back, as when an order is canceled from now on. In the
-- order of the orders, so that a restored backup has the same numbers as a market that is upgraded in place.
with borne as (
  update refund r set released_cents = r.amount_cents from orders o
  where o.id = r.order_id and o.status = 'cancelled' and r.bearer_id is not null and r.kind in ('goodwill', 'care')
    and (r.state <> 'failed' or r.failure is null or r.resolved_at is null)
  returning r.order_id, r.bearer_id, r.amount_cents),
booked as (
  insert into ledger_transaction (kind, order_id, created_at)
  select distinct 'compensation', order_id, now() from borne order by order_id
  returning id, order_id),
returned as (
  select t.id, b.bearer_id, sum(b.amount_cents)::int as cents from borne b join booked t on t.order_id = b.order_id
  group by t.id, b.bearer_id)
insert into ledger_entry (transaction_id, account, vendor_id, amount_cents)
select id, 'vendor', bearer_id, cents from returned
union all
select id, 'refunds', null::int, -sum(cents)::int from returned group by id
order by 1, 2, 3;

-- Without the lock of the migration that added it.
alter table refund validate constraint refund_released;
