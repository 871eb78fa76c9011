-- A product whose tags are null is found by its other words (`tags` has no default, so SQL by hand may leave it out).
-- Splitting at single spaces needs no pattern: filling a large catalogue takes half the time.

create or replace function search.learn(texts text[]) returns void language sql as $$
  insert into search.word (word, stem)
  select w.word, (ts_lexize('search.stem', w.word))[1]
  from (select distinct string_to_table(t, ' ') collate "C" as word from unnest(texts) as t) as w
  where length(w.word) between 2 and 40 and w.word ~ '[^0-9]' and not exists (select 1 from search.word k where k.word = w.word)
  order by w.word
  on conflict do nothing
$$;

create or replace function search.refresh(ids int[]) returns void language plpgsql as $$
declare done boolean;
begin
  if ids is null or cardinality(ids) = 0 then return; end if;
  perform 1 from search.document where product_id = any(ids) order by product_id for update;
  with texts as materialized (
    select p.id, p.vendor_id, search.plain(p.title) as title, coalesce(search.plain(array_to_string(p.tags, ' ')), '') as tags,
      search.plain(v.name) as vendor, search.plain_html(p.description) as description
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
