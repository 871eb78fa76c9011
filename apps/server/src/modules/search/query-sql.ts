import { type Conn, empty, queryOne, raw, type Sql, sql } from "@marketday/db";
import { z } from "zod";

// These are literals and not parameters: with them Postgres keeps one plan, instead of planning at each call.
/** Words that a match need not contain, unless the text has no others. */
const SMALL = raw("array['a', 'an', 'and', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'to', 'with']");

/** Further words are ignored, because each costs a lookup of similar spellings. */
const WORDS = raw("8");

/** Sorts after every letter that a word can contain. */
const LAST = raw("U&'\\+10FFFF'");

const SearchQuery = z.object({
  every: z.string().nullable(),
  any: z.string().nullable(),
  named: z.string().nullable(),
  plain: z.string(),
  is_known: z.boolean().nullable(),
});
/** A text as text search queries in Postgres' notation. */
export type SearchQuery = z.infer<typeof SearchQuery>;

/**
 * Parses a text:
 * - `every`: each word as a stem, the last one also as a prefix. A word that is not in the index also matches the words with the
 *   most similar spelling: two letters swapped or one wrong, two or three wrong in a longer word, else by shared trigrams.
 *   `any`: at least one of the words. Null when the text has no word.
 * - `named`: like `every` without the weights, for names of vendors and collections, which have no weights.
 * - `plain`: the words without accents and capitals.
 * The text is only compared with words, so no character in it is an operator. Similar spellings are looked up in a second statement,
 * and only if a word is not in the index.
 * @param weights only words of these weights count in `every` and `any`: A title, B tags, C vendor, D description
 */
export async function parseSearch(conn: Conn, text: string, weights: "" | "AB" = ""): Promise<SearchQuery> {
  const parsed = await queryOne(conn, selectQuery(text, weights, "exact"), SearchQuery);
  if (parsed!.is_known !== false) return parsed!;
  return (await queryOne(conn, selectQuery(text, weights, "similar"), SearchQuery))!;
}

/**
 * Selects the one `SearchQuery` of a text, for statements that match with it. With `exact`, words are taken as they are spelled;
 * `is_known` is false when one of them is not in the index. A number is always known: there is no similar spelling of it.
 */
export const selectQuery = (text: string, weights: "" | "AB", spelling: "exact" | "similar"): Sql => sql`with
  input as (select search.plain(${text.replaceAll("\0", " ")}) as plain),
  tokens as (
    select t.word collate "C" as word, t.n, t.word = any(${SMALL}) as small
    from input, regexp_split_to_table(input.plain, ' ') with ordinality as t (word, n) where t.word <> ''),
  terms as (
    select s.word, s.n, (ts_lexize('search.stem', s.word))[1] collate "C" as stem, s.n = max(s.n) over () as last
    from tokens s where not s.small or not exists (select 1 from tokens o where not o.small)
    order by s.n limit ${WORDS}),
  checked_terms as (
    select t.*, t.word !~ '[^0-9]' or exists (select 1 from search.word w where w.stem = t.stem)
      or (t.last and exists (select 1 from search.word w where w.word >= t.word and w.word < t.word || ${LAST})) as known
    from terms t),
  term_stems as (
    select j.n, j.stem, j.last as begins from checked_terms j
    union
    (select j.n, w.stem, false from checked_terms j cross join lateral (
      select w.stem from search.word w where w.word >= j.word and w.word < j.word || ${LAST} and not starts_with(w.stem, j.stem) limit 50) w where j.last and j.known)
    ${spelling === "similar" ? SIMILAR : empty}),
  parts as (
    select n, string_agg(format('%L:%s', stem, concat(case when begins then '*' end, ${weights}::text)), ' | ') as weighted,
      string_agg(format('%L:%s', stem, case when begins then '*' else '' end), ' | ') as plain
    from term_stems group by n)
  select string_agg('(' || p.weighted || ')', ' & ') as every, string_agg(p.weighted, ' | ') as any,
    string_agg('(' || p.plain || ')', ' & ') as named, (select plain from input) as plain, (select bool_and(known) from checked_terms) as is_known
  from parts p`;

/** For each unknown word the stems of the words with the most similar spelling. */
const SIMILAR = sql`union
    select j.n, near.stem, false from checked_terms j cross join lateral (
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
    where not j.known and near.nearest = 1 and near.place <= 5`;
