-- Written by hand: what Prisma's datamodel cannot say.

-- Channel `change` carries what a change was of, the hubs whose pages it concerns, and products whose pages in other hubs it
-- concerns too: {"kind": "review", "hubIds": [], "productIds": [7]}. Servers of the version before listen to `catalogue` instead,
-- which makes all pages stale: its triggers stay until no such server runs.
--
-- listing  which products a hub lists, their order, names and texts
-- price    offers apart from being published: prices, sales, stock of many products
-- review, picture, post, banner, bundle, content  these alone

-- More than 20 hubs or 500 products are sent as null, which means all hubs: a notification has at most 8,000 bytes.
create function notify_change(kind text, hubs int[], products int[]) returns void language plpgsql as $$
declare is_all boolean := hubs is null or cardinality(hubs) > 20 or cardinality(products) > 500;
begin
  perform pg_notify('change', json_build_object('kind', kind, 'hubIds', case when not is_all then hubs end,
    'productIds', case when is_all or products is null then '{}' else products end)::text);
end $$;

-- Hubs that offer one of these products, published or not, or a bundle with it. Null for more products than a notification names.
create function hubs_of_products(products int[]) returns int[] language plpgsql stable as $$
begin
  if cardinality(products) > 500 then return null; end if;
  return array(
    select o.hub_id from variant x join offer o on o.variant_id = x.id where x.product_id = any(products)
    union
    select h.hub_id from variant x join bundle_item i on i.variant_id = x.id join bundle_hub h on h.bundle_id = i.bundle_id
    where x.product_id = any(products));
end $$;

-- The values of a column in the written rows, and in those that an update replaced. Null without rows.
create function notify_products_changed() returns trigger language plpgsql as $$
declare products int[];
begin
  execute format('select array_agg(distinct id) from (select %1$I as id from written %2$s) as rows', tg_argv[1],
    case tg_op when 'UPDATE' then format('union all select %I from former', tg_argv[1]) end) into products;
  if products is null then return null; end if;
  -- A rating is shown with its product alone.
  perform notify_change(tg_argv[0], case tg_argv[0] when 'review' then '{}' else hubs_of_products(products) end, products);
  return null;
end $$;

-- Posts and banners are of a hub, or of all (null).
create function notify_hub_rows_changed() returns trigger language plpgsql as $$
declare hubs int[];
begin
  execute format('select array_agg(distinct hub_id) from (select hub_id from written %s) as rows',
    case tg_op when 'UPDATE' then 'union all select hub_id from former' end) into hubs;
  if hubs is not null then
    perform notify_change(tg_argv[0], case when array_position(hubs, null) is null then hubs end, '{}');
  end if;
  return null;
end $$;

create function notify_vendors_changed() returns trigger language plpgsql as $$
declare
  vendors int[] := (select array_agg(id) from written);
  products int[];
  hubs int[];
begin
  if vendors is null then return null; end if;
  products := array(select id from product where vendor_id = any(vendors));
  -- A vendor's post for all hubs is shown where its products are.
  if not exists (select 1 from post where vendor_id = any(vendors) and hub_id is null and type <> 'vendor-post') then
    hubs := hubs_of_products(products) || array(select hub_id from post where vendor_id = any(vendors) and hub_id is not null);
    hubs := array(select distinct unnest(hubs));
  end if;
  perform notify_change('listing', hubs, products);
  return null;
end $$;

-- New and deleted offers: a product that a hub does not sell lists the hubs that do.
create function notify_offers_written() returns trigger language plpgsql as $$
declare hubs int[] := (select array_agg(distinct hub_id) from written);
begin
  if hubs is null then return null; end if;
  perform notify_change('listing', hubs,
    (select array_agg(distinct x.product_id) from written w join variant x on x.id = w.variant_id));
  return null;
end $$;

-- A new collection is empty. Its address, parent and publication are of all hubs, because an empty page may be cached of it.
create function notify_collections_changed() returns trigger language plpgsql as $$
declare hubs int[] := '{}';
begin
  if tg_op = 'DELETE' then
    hubs := null;
  elsif tg_op = 'UPDATE' then
    if exists (select 1 from written n join former o on o.id = n.id
        where (n.slug, n.parent_id, n.is_published) is distinct from (o.slug, o.parent_id, o.is_published)) then
      hubs := null;
    else
      hubs := array(select distinct m.hub_id from search.member m
        where m.collection_id in (select c.id from collection c join written n on n.id in (c.id, c.parent_id)));
    end if;
  end if;
  perform notify_change('listing', hubs, '{}');
  return null;
end $$;

create function notify_collection_products_changed() returns trigger language plpgsql as $$
declare products int[];
begin
  if tg_op = 'UPDATE' then
    products := array(select product_id from written union select product_id from former);
  else
    products := array(select distinct product_id from written);
  end if;
  if cardinality(products) = 0 then return null; end if;
  perform notify_change('listing',
    array(select distinct unnest(hubs) from search.document where product_id = any(products)), '{}');
  return null;
end $$;

-- A picture is inserted before and deleted after what shows it, so that only an update changes pages.
create function notify_pictures_changed() returns trigger language plpgsql as $$
declare
  pictures text[] := (select array_agg(n.id) from written n join former o on o.id = n.id where (n.alt, n.thumbhash) is distinct from (o.alt, o.thumbhash));
  products int[];
begin
  if pictures is null then return null; end if;
  products := array(
    select product_id from product_picture where picture_id = any(pictures)
    union
    select p.id from vendor v join product p on p.vendor_id = v.id where v.avatar_id = any(pictures) or v.hero_id = any(pictures));
  perform notify_change('picture',
    case when not exists (select 1 from collection where image_id = any(pictures))
        and not exists (select 1 from bundle where image_id = any(pictures))
        and not exists (select 1 from post where text_image_id = any(pictures))
        and not exists (select 1 from post po join vendor v on v.id = po.vendor_id where v.avatar_id = any(pictures))
      then hubs_of_products(products) end,
    products);
  return null;
end $$;

create function notify_all_changed() returns trigger language plpgsql as $$
begin
  perform notify_change(tg_argv[0], null, '{}');
  return null;
end $$;

create or replace function notify_offer_changed() returns trigger language plpgsql as $$
declare
  hub record;
  products int[];
begin
  if exists (select 1 from changed n join before o on o.id = n.id where (n.is_published, n.hub_id, n.variant_id) is distinct from (o.is_published, o.hub_id, o.variant_id)) then
    perform pg_notify('catalogue', '');
    select array_agg(distinct x.product_id) into products
    from changed n join before o on o.id = n.id join variant x on x.id in (n.variant_id, o.variant_id)
    where (n.is_published, n.hub_id, n.variant_id) is distinct from (o.is_published, o.hub_id, o.variant_id);
    perform notify_change('listing', array(select hub_id from changed union select hub_id from before), products);
    return null;
  end if;
  for hub in
    select n.hub_id as id,
      bool_or(to_jsonb(o) - 'inventory' - 'sold_out_at' <> to_jsonb(n) - 'inventory' - 'sold_out_at') as is_more_changed,
      bool_or((o.inventory > 0) <> (n.inventory > 0)) as is_availability_changed,
      bool_or(o.inventory <= 0 and n.inventory > 0) as is_restocked,
      array_agg(distinct x.product_id) filter (where o.inventory <> n.inventory) as product_ids
    from changed n
    join before o on o.id = n.id
    join variant x on x.id = n.variant_id
    group by n.hub_id
  loop
    if hub.is_more_changed or cardinality(hub.product_ids) > 500 then
      perform pg_notify('catalogue', hub.id::text);
      perform notify_change('price', array[hub.id], '{}');
    elsif hub.product_ids is not null then
      perform pg_notify('inventory', json_build_object('hubId', hub.id, 'productIds', hub.product_ids,
        'isAvailabilityChanged', hub.is_availability_changed, 'isRestocked', hub.is_restocked)::text);
    end if;
  end loop;
  return null;
end $$;

do $$
declare
  of_table record;
  op record;
begin
  for of_table in
    select * from (values
      ('product', 'notify_products_changed(''listing'', ''id'')', array['insert', 'update', 'delete']),
      ('variant', 'notify_products_changed(''listing'', ''product_id'')', array['insert', 'update', 'delete']),
      ('product_picture', 'notify_products_changed(''picture'', ''product_id'')', array['insert', 'update', 'delete']),
      ('review', 'notify_products_changed(''review'', ''product_id'')', array['insert', 'update', 'delete']),
      ('post', 'notify_hub_rows_changed(''post'')', array['insert', 'update', 'delete']),
      ('banner', 'notify_hub_rows_changed(''banner'')', array['insert', 'update', 'delete']),
      ('vendor', 'notify_vendors_changed()', array['insert', 'update', 'delete']),
      ('offer', 'notify_offers_written()', array['insert', 'delete']),
      ('collection', 'notify_collections_changed()', array['insert', 'update', 'delete']),
      ('collection_product', 'notify_collection_products_changed()', array['insert', 'update', 'delete']),
      ('picture', 'notify_pictures_changed()', array['update']),
      ('hub', 'notify_all_changed(''listing'')', array['insert', 'update', 'delete']),
      ('bundle', 'notify_all_changed(''bundle'')', array['insert', 'update', 'delete']),
      ('bundle_hub', 'notify_all_changed(''bundle'')', array['insert', 'update', 'delete']),
      ('bundle_item', 'notify_all_changed(''bundle'')', array['insert', 'update', 'delete']),
      ('content_page', 'notify_all_changed(''content'')', array['insert', 'update', 'delete']),
      ('faq_entry', 'notify_all_changed(''content'')', array['insert', 'update', 'delete']),
      ('blog_post', 'notify_all_changed(''content'')', array['insert', 'update', 'delete'])) as t (name, call, ops)
  loop
    for op in
      select * from (values ('insert', 'new table as written'), ('update', 'old table as former new table as written'), ('delete', 'old table as written')) as o (name, tables)
      where o.name = any(of_table.ops)
    loop
      execute format('create trigger %I after %s on %I referencing %s for each statement execute function %s',
        of_table.name || '_notify_' || op.name, op.name, of_table.name, op.tables, of_table.call);
    end loop;
  end loop;
end $$;
