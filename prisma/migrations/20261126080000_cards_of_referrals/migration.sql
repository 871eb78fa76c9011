-- Written by hand: what Prisma's datamodel cannot say.

-- The customers who have saved a card or paid with it, and those who have used an address of a ZIP code (docs/product.md §17 "Referral").
create index payment_card_fingerprint_idx on payment (card_fingerprint) where card_fingerprint <> '';
create index payment_method_fingerprint_idx on payment_method (fingerprint) where fingerprint <> '';
create index orders_zip_idx on orders (left(address->>'zipCode', 5)) where address is not null;
create index address_zip_idx on address (left(zip_code, 5));
