-- What people type is cleaned before it is compared with a stored address (docs/product.md §2 "Text"). Addresses of the versions before were
-- stored as they were pasted: cleaned here in the same way, or their owners could not log in. An address that another account has after that
-- stays as it is, and so does one that is no address after it; `market doctor` names both. Mails and leads follow, so that deleting the account finds them.
with composed as (
  select id, email, normalize(email, nfkc) as clean from customer where email ~ '[^!-~]'
), bare as (
  select id, email, regexp_replace(clean,
    '[\u0001-\u0020\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFC\U000E0000-\U000E0FFF]',
    '', 'g') as clean
  from composed
), cleaned as (
  select id, email, lower(normalize(
    translate(regexp_replace(clean, '[\u058A\u05BE\u2010-\u2015\u2043\u2212\u301C]', '-', 'g'),
      U&'\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669\06F0\06F1\06F2\06F3\06F4\06F5\06F6\06F7\06F8\06F9', '01234567890123456789'),
    nfc) collate "C") as clean
  from bare
), free as (
  select id, email, clean from cleaned c
  where clean <> email and clean = lower(clean) and char_length(clean) between 5 and 254 and clean ~ '^[^@]+@[^@]+$'
    and not exists (select 1 from customer o where o.email = c.clean)
    and not exists (select 1 from cleaned o where o.clean = c.clean and o.id <> c.id)
), mails as (
  update mail m set to_email = free.clean from free where m.to_email = free.email
), leads as (
  update lead l set email = free.clean from free where l.email = free.email
)
update customer c set email = free.clean from free where c.id = free.id;
