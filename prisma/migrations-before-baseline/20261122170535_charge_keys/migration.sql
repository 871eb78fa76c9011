-- Every payment gets the key its charge is known by at the provider. Nobody writes a payment meanwhile.
LOCK TABLE "payment" IN SHARE ROW EXCLUSIVE MODE;
UPDATE "payment" p SET "charge_key" = coalesce((SELECT a."id" FROM "checkout_attempt" a WHERE a."payment_id" = p."id"), p."id")
WHERE p."charge_key" IS NULL;

-- AlterTable
ALTER TABLE "payment" ALTER COLUMN "charge_key" SET NOT NULL,
ALTER COLUMN "charge_key" SET DEFAULT '00000000-0000-0000-0000-000000000000';

-- CreateIndex
CREATE INDEX "orders_payment_id_idx" ON "orders"("payment_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_charge_key_key" ON "payment"("charge_key");

-- CreateIndex
CREATE UNIQUE INDEX "payment_next_key_key" ON "payment"("next_key");

-- Written by hand: what Prisma's datamodel cannot say.

-- A server of the version before leaves the key out while a deploy rolls: its payments are known by their attempt's id, or their own.
create function payment_charge_key() returns trigger language plpgsql as $$
begin
  if new.charge_key = '00000000-0000-0000-0000-000000000000' then new.charge_key := new.id; end if;
  return new;
end $$;
create trigger payment_charge_key before insert on payment for each row execute function payment_charge_key();
create function attempt_charge_key() returns trigger language plpgsql as $$
begin
  update payment set charge_key = new.id where id = new.payment_id and charge_key = id;
  return null;
end $$;
create trigger attempt_charge_key after insert on checkout_attempt for each row when (new.payment_id is not null) execute function attempt_charge_key();

-- What the sweeps look for, so that they read the few rows that are open and not all that ever were.
create index payment_open_idx on payment (authorized_at) where state in ('created', 'challenge', 'authorized');
create index payment_idempotency_key_idx on payment (idempotency_key) where idempotency_key is not null;
