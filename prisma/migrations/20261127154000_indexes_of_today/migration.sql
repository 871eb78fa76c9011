-- Written by hand: partial indexes for the board of delivery days.

-- Payouts by their time.
create index ledger_transaction_payout_idx on ledger_transaction (created_at) where kind = 'payout';
-- Sold-out lines of carts: few of all lines, and read every minute too.
create index cart_item_watching_idx on cart_item (variant_id) where watching;
-- Questions that wait for an answer.
create index question_unanswered_idx on question (created_at) where answer is null;
