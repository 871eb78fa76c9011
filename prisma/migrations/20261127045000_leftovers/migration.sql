-- DropIndex
DROP INDEX "cart_item_cart_id_idx";

-- AlterTable
ALTER TABLE "payment" ALTER COLUMN "charge_key" SET DEFAULT gen_random_uuid();

-- Written by hand: what Prisma's datamodel cannot say.

-- The unique index of a cart's lines begins with the cart; a payment's key had two indexes.
drop index payment_key_key;

-- Every server gives a payment its key.
drop trigger payment_charge_key on payment;
drop function payment_charge_key();
drop trigger attempt_charge_key on checkout_attempt;
drop function attempt_charge_key();
