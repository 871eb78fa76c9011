import { BADGE_MAX, BADGE_MIN } from "@marketday/domain/limits";
import { spreadsheetSentence } from "@marketday/domain/spreadsheet-text";

import { shown } from "../../../lib/file-problem.ts";
import {
  type Cell,
  choice,
  date,
  decimal,
  html,
  label,
  list,
  money,
  reference,
  slug,
  text,
  whole,
  yesNo,
} from "../cell.ts";
import {
  type Check,
  type Column,
  type ImportType,
  onlyOnce,
  pictureName,
  pictureNames,
  picturesThere,
  slugNames,
  slugThere,
} from "../kind.ts";
import { variantNames, variantRenames } from "./variant-names.ts";
import { writeProducts } from "./write-products.ts";

const tagList = list(
  { ...text(60), right: "plain text of at most 60 characters without a comma", doubt: spreadsheetSentence },
  40,
);
/** A comma in a tag would be between two tags. */
const tags: Cell = {
  ...tagList,
  doubt: (given) => (given.includes(",") ? `"${shown(given)}" should be ${tagList.right}` : tagList.doubt!(given)),
};

/** Fields of a product: on its first row, and empty or the same on its others. */
const productColumns: readonly Column[] = [
  { name: "title", cell: label(200) },
  { name: "vendor", cell: reference, about: "the vendor's slug" },
  { name: "description", cell: html(20_000) },
  { name: "new_description", cell: html(20_000) },
  { name: "tags", cell: tags },
  { name: "badge", cell: whole(BADGE_MIN, BADGE_MAX), about: "days the vendor promises it stays fresh" },
  { name: "ribbon_type", cell: label(40) },
  { name: "ribbon_text", cell: label(60) },
  { name: "discount_notes", cell: text(300) },
  { name: "origin_country", cell: label(100) },
  { name: "origin_state", cell: label(100) },
  { name: "origin_county", cell: label(100) },
  { name: "processor", cell: label(200) },
  { name: "ingredients", cell: text(5_000) },
  { name: "storage", cell: choice("dry", "cold", "frozen"), about: "how it is packed" },
  { name: "published", cell: yesNo, about: "whether the shop shows the product" },
  { name: "images", cell: list(text(200), 20), about: "names of pictures, the first is shown in lists" },
];

const VARIANT =
  "how the product is sold, such as Dozen or 1 lb, in at most 100 characters; Each, where there is one way only";
/** The number of a variant, by which a row renames it. */
export const VARIANT_ID = "variant_id";
/** Fields of a variant in every hub. */
export const variantColumns: readonly Column[] = [
  { name: "variant", cell: label(100, VARIANT), required: true },
  { name: "unit", cell: label(40), about: "what one unit is, such as dozen or 8 oz" },
  { name: "measure", cell: label(20), about: "the measure of the price per measure, such as oz" },
  { name: "measure_amount", cell: decimal, about: "how much of the measure one holds" },
  {
    name: "pre_order_date",
    cell: date,
    about: "makes it a pre-order, delivered on the first delivery day on or after it",
  },
  {
    name: VARIANT_ID,
    cell: whole(1, 999_999_999),
    about: "its number, as the export has it: another title with it renames the variant; empty for a new one",
  },
];

const STOCK_MOST = 1_000_000;
/** Fields of a variant's offer in a hub. */
export const offerColumns: readonly Column[] = [
  { name: "hub", cell: reference, about: "the slug of the hub that sells the variant" },
  { name: "price", cell: money },
  { name: "sale_price", cell: money },
  { name: "inventory", cell: whole(0, STOCK_MOST), about: "what can be sold from now on; empty: as it is" },
  { name: "weekly_inventory", cell: whole(0, STOCK_MOST), about: "what a new week refills the stock to; empty: never" },
  { name: "offered", cell: yesNo, about: "whether this hub sells the variant" },
];

const firstRows = `create temp table heads on commit drop as
  select distinct on (slug) line, bad, slug, ${productColumns.map(({ name }) => name).join(", ")} from incoming order by slug, line`;

const sameAsFirst = productColumns.map(({ name }): Check => ({
  sql: `select s.line, '${name}' as column, s.${name}::text as value, format('empty, or the same as in row %s: both are of one product', h.line) as "right"
     from incoming s join heads h on h.slug = s.slug and s.line > h.line
     where s.${name} is not null and s.${name} is distinct from h.${name} and not '${name}' = any(h.bad)`,
}));

const neededInFirst = ["title", "vendor"].map((name): Check => ({
  sql: `select h.line, '${name}' as column, null as value, 'the ${name} of the product, on its first row' as "right"
     from heads h where h.${name} is null and not '${name}' = any(h.bad) and not 'slug' = any(h.bad)
       and not exists (select 1 from product p where p.slug = h.slug)`,
}));

/** In an export the fields of a product are only on its first row. */
const once = (value: string, name: string) => `case when first then ${value} end as ${name}`;

/**
 * Products with their variants and offers: a row is a variant in a hub (or in none). Products are identified by their slug,
 * variants by their title, offers by their hub. `inventory` is the stock that can be sold; empty: unchanged.
 */
export const products: ImportType = {
  noun: "products",
  group: "slug",
  columns: [{ name: "slug", cell: slug, required: true }, ...productColumns, ...variantColumns, ...offerColumns],
  rowCheck: (row) => {
    const { hub, sale_price: sale, price } = row;
    if (hub != null && price == null) return [{ column: "price", right: "the price in this hub, such as 4.50" }];
    if (hub == null && price != null) return [{ column: "hub", right: "the hub that has this price" }];
    return typeof sale === "number" && typeof price === "number" && sale >= price
      ? [{ column: "sale_price", right: "less than the price" }]
      : [];
  },
  prepare: [...pictureNames, firstRows, "create unique index on heads (slug)", "analyze heads"],
  names: [
    slugNames("product"),
    {
      noun: "a product of the vendor",
      column: "title",
      market: `select v.slug as scope, p.slug as key, p.title as name from product p join vendor v on v.id = p.vendor_id where v.slug in (select vendor from incoming)
           or v.id in (select o.vendor_id from incoming i join product o on o.slug = i.slug where i.title is not null)`,
      incoming: `select s.line, coalesce(s.vendor, v.slug) as scope, s.slug as key, s.title as name from incoming s left join product o on o.slug = s.slug left join vendor v on v.id = o.vendor_id where s.title is not null and s.slug is not null and coalesce(s.vendor, v.slug) is not null`,
      isEqualFine: true,
    },
    variantNames,
  ],
  renames: variantRenames,
  checks: [
    onlyOnce(["slug", "variant", "hub"], "variant"),
    ...neededInFirst,
    ...sameAsFirst,
    slugThere("vendor"),
    slugThere("hub"),
    picturesThere("images"),
  ],
  write: writeProducts,
  amounts: {
    fields: [
      // Something new that costs nothing is confirmed too.
      { name: "price", unit: "cents", reference: "coalesce(b.price, case when a.price = 0 then 1 end)" },
      { name: "sale_price", unit: "cents", reference: "coalesce(b.sale_price, b.price, a.price)" },
    ],
    sql: `select s.line, concat_ws(', ', s.slug, s.variant, s.hub) as subject, o.price_cents as price, o.sale_price_cents as sale_price
      from incoming s join product p on p.slug = s.slug join variant x on x.product_id = p.id and x.title = s.variant
      join hub h on h.slug = s.hub join offer o on o.variant_id = x.id and o.hub_id = h.id`,
  },
  exported: `
    select p.slug, ${[
      once("p.title", "title"),
      once("v.slug", "vendor"),
      once("p.description", "description"),
      once("p.new_description", "new_description"),
      once("array_to_string(p.tags, '|')", "tags"),
      once("p.badge::text", "badge"),
      ...[
        "ribbon_type",
        "ribbon_text",
        "discount_notes",
        "origin_country",
        "origin_state",
        "origin_county",
        "processor",
        "ingredients",
        "storage",
      ].map((name) => once(`p.${name}`, name)),
      once("case when p.is_published then 'yes' else 'no' end", "published"),
      once(
        `(select string_agg(${pictureName("i")}, '|' order by pp.position) from product_picture pp join picture i on i.id = pp.picture_id where pp.product_id = p.id)`,
        "images",
      ),
    ].join(", ")},
      x.title as variant, x.unit, x.measure, x.measure_amount::text, to_char(x.pre_order_date, 'YYYY-MM-DD') as pre_order_date,
      x.id::text as ${VARIANT_ID}, h.slug as hub, to_char(o.price_cents / 100.0, 'FM9999990.00') as price, to_char(o.sale_price_cents / 100.0, 'FM9999990.00') as sale_price,
      o.inventory::text, o.weekly_inventory::text, case when o.is_published then 'yes' when not o.is_published then 'no' end as offered
    from (
      select x.id as variant_id, o.id as offer_id, row_number() over (partition by x.product_id order by x.position, x.id, o.id) = 1 as first
      from variant x left join offer o on o.variant_id = x.id) as row
    join variant x on x.id = row.variant_id join product p on p.id = x.product_id join vendor v on v.id = p.vendor_id
    left join offer o on o.id = row.offer_id left join hub h on h.id = o.hub_id
    order by p.id, x.position, x.id, o.id`,
};
