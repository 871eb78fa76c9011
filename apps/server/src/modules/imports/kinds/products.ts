import { BADGE_MAX, BADGE_MIN } from "@marketday/domain/limits";
import { STOCK_MAX, TAG_MAX, TAGS_MAX, TITLE_MAX, UNIT_MAX } from "@marketday/domain/offer-cells";
import { STORAGES } from "@marketday/domain/sheets";
import { spreadsheetSentence } from "@marketday/domain/spreadsheet-text";

import { shown } from "../../../lib/file-problem.ts";
import {
  type Cell,
  choice,
  date,
  decimal,
  html,
  imageName,
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
import { sizeNotes } from "./size-notes-sql.ts";
import { copyOffers, countedSinceExport, lockForCounts, newStockNotes } from "./stock-count-sql.ts";
import { variantNames, variantRenames } from "./variant-names.ts";
import { writeProducts } from "./write-products.ts";

const tagList = list(
  {
    ...text(TAG_MAX),
    right: `plain text of at most ${TAG_MAX} characters without a comma`,
    doubt: spreadsheetSentence,
  },
  TAGS_MAX,
);
/** A comma in a tag would be between two tags. */
const tags: Cell = {
  ...tagList,
  doubt: (given) => (given.includes(",") ? `"${shown(given)}" should be ${tagList.right}` : tagList.doubt!(given)),
};

const storage = choice(...STORAGES);

/** Fields of a product: on one of its rows, and empty or the same on its others. */
const productColumns: readonly Column[] = (
  [
    { name: "title", cell: label(TITLE_MAX), needed: "the title of the product, on its first row" },
    {
      name: "vendor",
      cell: reference,
      needed: "the vendor of the product, on its first row",
      about: "the vendor's slug",
    },
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
    {
      name: "storage",
      cell: storage,
      neverEmpty: `Write ${storage.right}`,
      about: "how it is packed",
    },
    { name: "published", cell: yesNo, about: "whether the shop shows the product" },
    { name: "images", cell: list(imageName, 20), about: "names of pictures, the first is shown in lists" },
  ] satisfies Column[]
).map((column) => ({ ...column, of: "slug" }));

const VARIANT =
  "how the product is sold, such as Dozen or 1 lb, in at most 100 characters; Each, where it is sold by the piece";
/** Fields of a variant in every hub. */
export const variantColumns: readonly Column[] = [
  { name: "variant", cell: label(100, VARIANT), required: true, unless: "variant_id" },
  {
    name: "unit",
    of: "variant",
    cell: label(UNIT_MAX),
    about: "how much one is, if the variant does not say it, such as 8 oz; each for a piece",
  },
  { name: "measure", of: "variant", cell: label(20), about: "the measure of the price per measure, such as oz" },
  { name: "measure_amount", of: "variant", cell: decimal, about: "how much of the measure one holds" },
  {
    name: "pre_order_date",
    of: "variant",
    cell: date,
    about: "makes it a pre-order, delivered on the first delivery day on or after it",
  },
  {
    name: "variant_id",
    cell: whole(1, 999_999_999),
    isFromExport: true,
    neverEmpty: "Leave it as it was exported, or empty for a new variant",
    about: "its number, as the export has it: another title with it renames the variant; empty for a new one",
  },
];

/** Fields of a variant's offer in a hub. */
export const offerColumns: readonly Column[] = [
  { name: "hub", cell: reference, about: "the slug of the hub that sells the variant" },
  {
    name: "price",
    cell: money,
    of: "hub",
    needed: "the price in this hub, such as 4.50",
  },
  { name: "sale_price", cell: money, of: "hub" },
  {
    name: "inventory",
    cell: whole(0, STOCK_MAX),
    of: "hub",
    isVolatile: true,
    neverEmpty: "Write 0 if nothing is left",
    about:
      "what can be sold from now on, a count if it differs from inventory_exported; of a new offer: the weekly stock",
  },
  {
    name: "inventory_exported",
    cell: whole(0, STOCK_MAX),
    of: "hub",
    isFromExport: true,
    neverEmpty: "Leave it as it was exported",
    about: "what inventory was when the file was exported",
  },
  {
    name: "weekly_inventory",
    cell: whole(0, STOCK_MAX),
    of: "hub",
    about: "what a new week refills the stock to; none: never",
  },
  { name: "offered", cell: yesNo, of: "hub", about: "whether this hub sells the variant" },
];

const ofOffer = offerColumns.filter(({ of }) => of === "hub").map(({ name }) => name);
/** A check that rows without a hub have no values of an offer. */
const hubGiven: Check = {
  sql: `select line, 'hub' as column, null as value,
      'the hub that has this ' || case ${ofOffer.map((name) => `when ${name} is not null then '${name}'`).join(" ")} end as "right"
    from incoming where hub is null and not 'hub' = any(bad) and num_nonnulls(${ofOffer.join(", ")}) > 0`,
};

const ofProduct = (value: (name: string) => string): string =>
  [
    "title",
    "description",
    "new_description",
    "ribbon_type",
    "ribbon_text",
    "discount_notes",
    "origin_country",
    "origin_state",
    "origin_county",
    "processor",
    "ingredients",
    "storage",
  ]
    .map((name) => `${value(`p.${name}`)} as ${name}`)
    .concat(
      `${value("v.slug")} as vendor`,
      `${value("array_to_string(p.tags, '|')")} as tags`,
      `${value("p.badge::text")} as badge`,
      `${value("case when p.is_published then 'yes' else 'no' end")} as published`,
      `${value(
        `(select string_agg(${pictureName("i")}, '|' order by pp.position) from product_picture pp join picture i on i.id = pp.picture_id where pp.product_id = p.id)`,
      )} as images`,
    )
    .join(", ");
const ofVariantAndOffer = `x.title as variant, x.unit, x.measure, x.measure_amount::text, to_char(x.pre_order_date, 'YYYY-MM-DD') as pre_order_date,
      x.id::text as variant_id, h.slug as hub, to_char(o.price_cents / 100.0, 'FM9999990.00') as price, to_char(o.sale_price_cents / 100.0, 'FM9999990.00') as sale_price,
      o.inventory::text, o.inventory::text as inventory_exported, o.weekly_inventory::text,
      case when o.is_published then 'yes' when not o.is_published then 'no' end as offered`;

/**
 * Products with their variants and offers: a row is a variant in a hub (or in none). Products are identified by their slug,
 * variants by their title, offers by their hub. `inventory` is the stock that can be sold, and changes only by a count.
 */
export const products: ImportType = {
  noun: "products",
  group: "slug",
  key: ["slug", "variant", "hub"],
  columns: [{ name: "slug", cell: slug, required: true }, ...productColumns, ...variantColumns, ...offerColumns],
  prepare: [...pictureNames, lockForCounts],
  names: [
    slugNames("product"),
    {
      noun: "a product of the vendor",
      column: "title",
      market: `select v.slug as scope, p.slug as key, p.title as name from product p join vendor v on v.id = p.vendor_id
        where v.slug in (select vendor from incoming)`,
      incoming: `select s.line, s.vendor as scope, s.slug as key, s.title as name from incoming s
        where s.title is not null and s.slug is not null and s.vendor is not null`,
      isEqualFine: true,
    },
    variantNames,
  ],
  renames: variantRenames(VARIANT),
  checks: [
    onlyOnce(["slug", "variant", "hub"], "variant"),
    hubGiven,
    {
      sql: `select line, 'sale_price' as column, to_char(sale_price / 100.0, 'FM9999990.00') as value, 'less than the price, or none for no sale' as "right"
        from incoming where sale_price >= price`,
    },
    countedSinceExport,
    slugThere("vendor"),
    slugThere("hub"),
    picturesThere("images"),
  ],
  write: writeProducts,
  notes: async (tx) => [...(await newStockNotes(tx)), ...(await sizeNotes(tx))],
  copyLocked: copyOffers,
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
  // In an export the fields of a product are only on its first row.
  exported: `
    select p.slug, ${ofProduct((value) => `case when first then ${value} end`)}, ${ofVariantAndOffer}
    from (
      select x.id as variant_id, o.id as offer_id, row_number() over (partition by x.product_id order by x.position, x.id, o.id) = 1 as first
      from variant x left join offer o on o.variant_id = x.id) as row
    join variant x on x.id = row.variant_id join product p on p.id = x.product_id join vendor v on v.id = p.vendor_id
    left join offer o on o.id = row.offer_id left join hub h on h.id = o.hub_id
    order by p.id, x.position, x.id, o.id`,
  stored: `
    select s.line, p.slug, ${ofProduct((value) => value)}, ${ofVariantAndOffer}
    from incoming s join product p on p.slug = s.slug join vendor v on v.id = p.vendor_id
    left join lateral (select min(id) as id from variant where product_id = p.id and title = s.variant) named on true
    left join variant x on x.id = named.id
    left join offer o on o.variant_id = x.id and o.hub_id = (select id from hub where slug = s.hub)
    left join hub h on h.id = o.hub_id`,
};
