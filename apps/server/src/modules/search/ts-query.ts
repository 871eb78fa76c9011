import { type Sql, sql } from "@marketday/db";

/** Words that may be missing from what is found, unless nothing else was typed. */
const SMALL = ["a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"];

/** Nobody means more words than these; each costs a look at what is spelled like it. */
const WORDS = 8;

/** The letter after which no word begins. */
const LAST = "\u{10FFFF}";

/**
 * Common table expressions that end in `asked`: what somebody typed as text search queries, one row.
 * - `every`: each word, as a stem; the last one as the beginning of a word too. A word that nobody ever wrote also stands
 *   for those spelled most like it: two letters swapped or one wrong, two or three wrong in a longer word, else by what
 *   pieces of three letters they share. `any`: at least one of them. Null when nothing typed is a word.
 * - `named`: like `every`, whatever `weights` are; for names of vendors and collections, which have none.
 * - `plain`: the words without accents and capitals.
 * What is typed is only ever compared with words: no sign in it means anything.
 * @param weights only words of these weights count in `every` and `any`: A title, B tags, C vendor, D description
 */
export const tsQuery = (text: string, weights: "" | "AB" = ""): Sql => sql`
  given as (select search.plain(${text.replaceAll("\0", " ")}) as plain),
  split as (
    select t.word collate "C" as word, t.n, t.word = any(${SMALL}::text[]) as small
    from given, regexp_split_to_table(given.plain, ' ') with ordinality as t (word, n) where t.word <> ''),
  typed as (
    select s.word, s.n, (ts_lexize('search.stem', s.word))[1] collate "C" as stem, s.n = max(s.n) over () as last
    from split s where not s.small or not exists (select 1 from split o where not o.small)
    order by s.n limit ${WORDS}::int),
  judged as (
    select t.*, exists (select 1 from search.word w where w.stem = t.stem)
      or (t.last and exists (select 1 from search.word w where w.word >= t.word and w.word < t.word || ${LAST})) as known
    from typed t),
  meant as (
    select j.n, j.stem, j.last as begins from judged j
    union
    (select j.n, w.stem, false from judged j cross join lateral (
      select w.stem from search.word w where w.word >= j.word and w.word < j.word || ${LAST} and not starts_with(w.stem, j.stem) limit 50) w where j.last and j.known)
    union
    select j.n, near.stem, false from judged j cross join lateral (
      select c.stem, rank() over (order by c.distance) as nearest, row_number() over (order by c.distance, c.alike desc) as place from (
        select w.stem, 1 as distance, 1 as alike from search.word w, generate_series(1, length(j.word) - 1) as i
        where w.word = overlay(j.word placing reverse(substr(j.word, i, 2)) from i for 2)
        union
        select w.stem, 1, 1 from search.word w, regexp_split_to_table('abcdefghijklmnopqrstuvwxyz', '') as first
        where length(j.word) > 2 and w.word in (first || substr(j.word, 2), first || j.word, substr(j.word, 2))
        union
        select w.stem, levenshtein_less_equal(w.word, j.word, 3) as distance, similarity(w.word, j.word) as alike from search.word w
        where w.word >= left(j.word, 1) and w.word < left(j.word, 1) || ${LAST} and abs(length(w.word) - length(j.word)) <= 2
          and levenshtein_less_equal(w.word, j.word, 3) <= case when length(j.word) < 5 then 1 when length(j.word) < 8 then 2 else 3 end
        union
        select w.stem, 2, word_similarity(j.word, w.word) from generate_series(1, length(j.word) - 1) as i
        cross join lateral (select overlay(j.word placing reverse(substr(j.word, i, 2)) from i for 2) collate "C" as swapped) s
        join search.word w on w.word >= s.swapped and w.word < s.swapped || ${LAST} where j.last and length(j.word) > 3
        union
        select w.stem, 2, word_similarity(j.word, w.word) from search.word w
        where j.last and length(j.word) > 3 and length(w.word) > length(j.word) and w.word >= left(j.word, 1) and w.word < left(j.word, 1) || ${LAST}
          and levenshtein_less_equal(left(w.word, length(j.word)), j.word, 1) = 1
        union
        select w.stem, 4, greatest(similarity(w.word, j.word), word_similarity(j.word, w.word)) from search.word w
        where length(j.word) > 2 and (w.word % j.word or j.word <% w.word)) c) near
    where not j.known and near.nearest = 1 and near.place <= 5),
  parts as (
    select n, string_agg(format('%L:%s', stem, concat(case when begins then '*' end, ${weights}::text)), ' | ') as weighted,
      string_agg(format('%L:%s', stem, case when begins then '*' else '' end), ' | ') as plain
    from meant group by n),
  asked as (
    select string_agg('(' || p.weighted || ')', ' & ')::tsquery as every, string_agg(p.weighted, ' | ')::tsquery as any,
      string_agg('(' || p.plain || ')', ' & ')::tsquery as named, (select plain from given) as plain
    from parts p)`;
