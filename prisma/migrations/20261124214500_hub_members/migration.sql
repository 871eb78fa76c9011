-- DropIndex
DROP INDEX "offer_hub_id_idx";

-- DropIndex
DROP INDEX "product_vendor_id_idx";

-- CreateIndex
CREATE INDEX "offer_hub_id_published_at_id_idx" ON "offer"("hub_id", "published_at", "id");

-- CreateIndex
CREATE INDEX "product_vendor_id_created_at_idx" ON "product"("vendor_id", "created_at");

-- Written by hand: what Prisma's datamodel cannot say.

-- The automatic cards of a feed are the newest few of each kind: each is found in one of these indexes and those above, whatever
-- number of products the hub has.
create index offer_restocked_idx on offer (hub_id, restocked_at, id) where restocked_at is not null;
create index offer_on_sale_idx on offer (hub_id, on_sale_since, id) where sale_price_cents is not null;

-- The products of each collection that a hub lists: `collection_product` joined to the hubs of `search.document`. A page of a
-- collection is read from the first index alone, its new products are counted in the second. Derived, as everything in this schema.
create table search.member (
  hub_id int not null,
  collection_id int not null,
  position int not null,
  product_id int not null references public.product (id) on delete cascade,
  added_at timestamptz(3) not null,
  primary key (product_id, collection_id, hub_id)
);
create index member_in_order on search.member (hub_id, collection_id, position, product_id);
create index member_added on search.member (hub_id, collection_id, added_at, product_id);

-- The documents of these products are locked by the caller, so that two who change one product both see what the other wrote.
create function search.refresh_members(ids int[]) returns void language plpgsql as $$
begin
  delete from search.member m
  where m.product_id = any(ids) and not exists (
    select 1 from search.document d join public.collection_product cp on cp.product_id = d.product_id
    where d.product_id = m.product_id and m.hub_id = any(d.hubs) and cp.collection_id = m.collection_id);
  insert into search.member as m (hub_id, collection_id, position, product_id, added_at)
  select hub.id, cp.collection_id, cp.position, cp.product_id, cp.added_at
  from public.collection_product cp join search.document d on d.product_id = cp.product_id cross join unnest(d.hubs) as hub (id)
  where cp.product_id = any(ids)
  on conflict (product_id, collection_id, hub_id) do update set position = excluded.position, added_at = excluded.added_at
    where (m.position, m.added_at) is distinct from (excluded.position, excluded.added_at);
end $$;

create or replace function search.refresh_hubs(ids int[]) returns void language plpgsql as $$
declare moved int[];
begin
  perform 1 from search.document where product_id = any(ids) order by product_id for update;
  with changed as (
    update search.document d set hubs = now_in.hubs
    from (
      select p.id, coalesce(array_agg(distinct o.hub_id) filter (where o.hub_id is not null and p.is_published and v.is_published), '{}') as hubs
      from public.product p
      join public.vendor v on v.id = p.vendor_id
      left join public.variant x on x.product_id = p.id
      left join public.offer o on o.variant_id = x.id and o.is_published
      where p.id = any(ids)
      group by p.id) as now_in
    where d.product_id = now_in.id and d.hubs <> now_in.hubs
    returning d.product_id)
  select array_agg(product_id) into moved from changed;
  if moved is not null then perform search.refresh_members(moved); end if;
end $$;

create or replace function search.rebuild() returns void language plpgsql as $$
begin
  delete from search.member;
  delete from search.document;
  delete from search.vendor;
  delete from search.word;
  perform search.refresh_vendors((select array_agg(id) from public.vendor));
  perform search.refresh((select array_agg(id) from public.product));
end $$;

create function search.collections_written() returns trigger language plpgsql as $$
declare ids int[] := (select array_agg(distinct product_id) from written);
begin
  if ids is null then return null; end if;
  perform 1 from search.document where product_id = any(ids) order by product_id for update;
  perform search.refresh_members(ids);
  return null;
end $$;
create function search.collections_changed() returns trigger language plpgsql as $$
declare ids int[] := (select array_agg(product_id) from (select product_id from former union select product_id from written) as either);
begin
  if ids is null then return null; end if;
  perform 1 from search.document where product_id = any(ids) order by product_id for update;
  perform search.refresh_members(ids);
  return null;
end $$;
create trigger collection_search_insert after insert on public.collection_product referencing new table as written
  for each statement execute function search.collections_written();
create trigger collection_search_delete after delete on public.collection_product referencing old table as written
  for each statement execute function search.collections_written();
create trigger collection_search_update after update on public.collection_product referencing old table as former new table as written
  for each statement execute function search.collections_changed();

insert into search.member (hub_id, collection_id, position, product_id, added_at)
select hub.id, cp.collection_id, cp.position, cp.product_id, cp.added_at
from collection_product cp join search.document d on d.product_id = cp.product_id cross join unnest(d.hubs) as hub (id);
