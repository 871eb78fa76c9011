-- Search. What is found by words stands in a schema of its own, kept by triggers and derived from the tables of `public`
-- alone: it can be emptied and filled again with `select search.rebuild()`, and no backup needs it.

create schema search;
create extension if not exists pg_trgm;
create extension if not exists unaccent;
create extension if not exists fuzzystrmatch;

-- Text as words are compared: no accents, no capitals, no apostrophes ("chef's" is "chefs"), single spaces between runs of
-- letters and digits. Nothing is left that a pattern or a text search query could take for more than a letter. `unaccent`
-- is only stable because its dictionary could be changed; ours is the one that comes along. It may stand in any schema.
do $do$
declare home text := (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'unaccent');
begin
  execute format($f$
    create function search.plain(given text) returns text language sql immutable parallel safe as $$
      select btrim(regexp_replace(replace(lower(%1$I.unaccent('%1$I.unaccent'::regdictionary, normalize(given, nfkc))), '''', ''), '[^[:alnum:]]+', ' ', 'g'))
    $$ $f$, home);
end $do$;
create function search.plain_html(given text) returns text language sql immutable parallel safe as $$
  select search.plain(regexp_replace(regexp_replace(given, '<[^>]*>', ' ', 'g'), '&[a-z0-9#]+;', ' ', 'gi'))
$$;

-- English stems, and no stop words: which words may be left out depends on the others that were typed.
create text search dictionary search.stem (template = snowball, language = english);
create text search configuration search.words (parser = default);
alter text search configuration search.words
  add mapping for asciiword, word, numword, hword, asciihword, numhword, hword_part, hword_asciipart, hword_numpart, int, uint, float, sfloat, version
  with search.stem;

-- One row per product, published or not: `hubs` are those that list it, so that a search reads nothing else.
create table search.document (
  product_id int primary key references public.product (id) on delete cascade,
  vendor_id int not null,
  title text not null,
  hubs int[] not null default '{}',
  words tsvector not null
);
create index document_found on search.document using gin (words, hubs);
create index document_vendor on search.document (vendor_id);

create table search.vendor (
  vendor_id int primary key references public.vendor (id) on delete cascade,
  name text not null,
  words tsvector not null
);
create index vendor_found on search.vendor using gin (words);

-- Every word that was ever written, with its stem: what a misspelt one is compared with. One that nobody uses any more
-- finds nothing and does no harm.
create table search.word (
  word text collate "C" primary key,
  stem text collate "C" not null
);
create index word_stem on search.word (stem);
create index word_similar on search.word using gin (word gin_trgm_ops);

create function search.learn(texts text[]) returns void language sql as $$
  insert into search.word (word, stem)
  select w.word, (ts_lexize('search.stem', w.word))[1]
  from (select distinct regexp_split_to_table(t, ' ') collate "C" as word from unnest(texts) as t) as w
  where length(w.word) between 2 and 40 and w.word ~ '[^0-9]' and not exists (select 1 from search.word k where k.word = w.word)
  order by w.word
  on conflict do nothing
$$;

-- The rows are locked before they are counted anew: two who publish in two hubs at once both stay.
create function search.refresh_hubs(ids int[]) returns void language plpgsql as $$
begin
  perform 1 from search.document where product_id = any(ids) order by product_id for update;
  update search.document d set hubs = now_in.hubs
  from (
    select p.id, coalesce(array_agg(distinct o.hub_id) filter (where o.hub_id is not null and p.is_published and v.is_published), '{}') as hubs
    from public.product p
    join public.vendor v on v.id = p.vendor_id
    left join public.variant x on x.product_id = p.id
    left join public.offer o on o.variant_id = x.id and o.is_published
    where p.id = any(ids)
    group by p.id) as now_in
  where d.product_id = now_in.id and d.hubs <> now_in.hubs;
end $$;

create function search.refresh(ids int[]) returns void language plpgsql as $$
declare done boolean;
begin
  if ids is null or cardinality(ids) = 0 then return; end if;
  perform 1 from search.document where product_id = any(ids) order by product_id for update;
  with texts as materialized (
    select p.id, p.vendor_id, search.plain(p.title) as title, search.plain(array_to_string(p.tags, ' ')) as tags, search.plain(v.name) as vendor,
      search.plain_html(p.description) as description
    from public.product p join public.vendor v on v.id = p.vendor_id where p.id = any(ids)),
  written as (
    insert into search.document as d (product_id, vendor_id, title, words)
    select t.id, t.vendor_id, t.title,
      setweight(to_tsvector('search.words', t.title), 'A') || setweight(to_tsvector('search.words', t.tags), 'B')
        || setweight(to_tsvector('search.words', t.vendor), 'C') || setweight(to_tsvector('search.words', t.description), 'D')
    from texts t order by t.id
    on conflict (product_id) do update set vendor_id = excluded.vendor_id, title = excluded.title, words = excluded.words
      where (d.vendor_id, d.title, d.words) is distinct from (excluded.vendor_id, excluded.title, excluded.words))
  select search.learn(array_agg(concat_ws(' ', t.title, t.tags, t.vendor, t.description))) is null into done from texts t;
  perform search.refresh_hubs(ids);
end $$;

create function search.refresh_vendors(ids int[]) returns void language plpgsql as $$
begin
  insert into search.vendor (vendor_id, name, words)
  select v.id, search.plain(v.name), to_tsvector('search.words', search.plain(v.name)) from public.vendor v where v.id = any(ids) order by v.id
  on conflict (vendor_id) do update set name = excluded.name, words = excluded.words;
  perform search.learn((select array_agg(s.name) from search.vendor s where s.vendor_id = any(ids)));
end $$;

create function search.rebuild() returns void language plpgsql as $$
begin
  delete from search.document;
  delete from search.vendor;
  delete from search.word;
  perform search.refresh_vendors((select array_agg(id) from public.vendor));
  perform search.refresh((select array_agg(id) from public.product));
end $$;

-- Whoever writes, in whatever way: a statement of many rows is one refresh.
create function search.products_written() returns trigger language plpgsql as $$
begin
  perform search.refresh((select array_agg(id) from written));
  return null;
end $$;
create function search.products_changed() returns trigger language plpgsql as $$
begin
  perform search.refresh((
    select array_agg(n.id) from written n join former o on o.id = n.id
    where (n.vendor_id, n.title, n.tags, n.description, n.is_published) is distinct from (o.vendor_id, o.title, o.tags, o.description, o.is_published)));
  return null;
end $$;
create trigger product_search_insert after insert on public.product referencing new table as written
  for each statement execute function search.products_written();
create trigger product_search_update after update on public.product referencing old table as former new table as written
  for each statement execute function search.products_changed();

create function search.vendors_written() returns trigger language plpgsql as $$
begin
  perform search.refresh_vendors((select array_agg(id) from written));
  return null;
end $$;
create function search.vendors_changed() returns trigger language plpgsql as $$
declare ids int[] := (select array_agg(n.id) from written n join former o on o.id = n.id where (n.name, n.is_published) is distinct from (o.name, o.is_published));
begin
  if ids is null then return null; end if;
  perform search.refresh_vendors(ids);
  perform search.refresh((select array_agg(p.id) from public.product p where p.vendor_id = any(ids)));
  return null;
end $$;
create trigger vendor_search_insert after insert on public.vendor referencing new table as written
  for each statement execute function search.vendors_written();
create trigger vendor_search_update after update on public.vendor referencing old table as former new table as written
  for each statement execute function search.vendors_changed();

create function search.offers_written() returns trigger language plpgsql as $$
begin
  perform search.refresh_hubs((select array_agg(distinct x.product_id) from written w join public.variant x on x.id = w.variant_id));
  return null;
end $$;
create trigger offer_search_insert after insert on public.offer referencing new table as written
  for each statement execute function search.offers_written();
create trigger offer_search_delete after delete on public.offer referencing old table as written
  for each statement execute function search.offers_written();

-- Stock moves with every order and means nothing here, so this one names its columns and costs those statements nothing.
create function search.offer_moved() returns trigger language plpgsql as $$
begin
  perform search.refresh_hubs((select array_agg(x.product_id) from public.variant x where x.id in (old.variant_id, new.variant_id)));
  return null;
end $$;
create trigger offer_search_update after update of is_published, hub_id, variant_id on public.offer for each row
  when ((old.is_published, old.hub_id, old.variant_id) is distinct from (new.is_published, new.hub_id, new.variant_id))
  execute function search.offer_moved();

-- Its offers go with a variant, and who deletes them does not find the product through it any more.
create function search.variants_gone() returns trigger language plpgsql as $$
begin
  perform search.refresh_hubs((select array_agg(product_id) from former));
  return null;
end $$;
create trigger variant_search_delete after delete on public.variant referencing old table as former
  for each statement execute function search.variants_gone();

select search.rebuild();

-- What else the catalogue is asked: a hub's orders of the last 90 days, and products by tag.
create index orders_hub_created on public.orders (hub_id, created_at);
create index product_tags on public.product using gin (tags);
