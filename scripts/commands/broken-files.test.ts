import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { createHub } from "@marketday/server/testing/factories";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

/**
 * Files that a manager broke in the first weeks, and similar ones: each with all lines of its error message. A message
 * begins with the file's path, and nothing of the file is written.
 */
const market = await operatedMarket();
const { db } = market;

beforeAll(async () => {
  const hub = await createHub(db);
  await db.hub.update({ where: { id: hub.id }, data: { slug: "carmel", time_zone: "America/Indiana/Indianapolis" } });
  const denver = await createHub(db);
  await db.hub.update({ where: { id: denver.id }, data: { slug: "denver", time_zone: "America/Denver" } });
  await db.vendor.createMany({
    data: [
      { slug: "oak-farm", hash: "0123456789abcdef", name: "Oak Farm", city: "Sheridan", state: "IN" },
      { slug: "blackbird-farm", hash: "0123456789abcdf0", name: "Blackbird Farm", city: "Sheridan", state: "IN" },
    ],
  });
});

type Content = string | Buffer;
type Row = [name: string, content: Content | (() => Promise<Content>), lines: readonly string[]];

const countRows = () =>
  Promise.all([
    db.product.count(),
    db.vendor.count(),
    db.hub.count(),
    db.picture.count(),
    db.banner.count(),
    db.bundle.count(),
  ]);

/** The result of an import: its messages without the path, and whether anything was written. */
async function importOf(noun: string, path: string) {
  const before = await countRows();
  const { code, out, err } = await market.run(noun, "import", path);
  const lines = err.trimEnd().split("\n");
  const isWritten = JSON.stringify(await countRows()) !== JSON.stringify(before);
  return {
    code,
    out,
    messages: lines.map((line) => (line.startsWith(path) ? line.slice(path.length) : line)),
    isWritten,
  };
}
const rejection = (lines: readonly string[]) => ({
  code: 3,
  out: "",
  messages: [...lines, "Nothing was written."],
  isWritten: false,
});

const contentOf = async (content: Row[1]): Promise<Content> => (typeof content === "function" ? content() : content);

const head = "slug,title,vendor,variant,hub,price,inventory,description,images";
const csv = (...rows: string[]): string => `${[head, ...rows].join("\r\n")}\r\n`;
const milk = (changes: Record<string, string> = {}): string => {
  const cells = {
    slug: "milk",
    title: "Milk",
    vendor: "oak-farm",
    variant: "Pint",
    hub: "carmel",
    price: "4.50",
    inventory: "5",
    description: "",
    images: "",
  };
  return Object.values({ ...cells, ...changes }).join(",");
};
const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

/** Parts of several messages. */
const COLUMNS =
  "slug, title, vendor, description, new_description, tags, badge, ribbon_type, ribbon_text, discount_notes, origin_country, origin_state, origin_county, processor, ingredients, storage, published, images, variant, unit, measure, measure_amount, pre_order_date, variant_id, hub, price, sale_price, inventory, inventory_exported, weekly_inventory, offered";
const SAVE_AS = 'Open it, choose Save As, and save it as "CSV UTF-8 (Comma delimited)".';
const BROKEN =
  'before another program broke its letters. Export the file again, open the new one, and save it as "CSV UTF-8".';
const SLUG =
  'should be a short name in lower-case letters, digits and dashes, such as wildflower-honey. It needs a letter, and "vendor", "subscribed" and "search" are taken.';

const tables: Row[] = [
  [
    "an Excel workbook",
    Buffer.from("PK\u0003\u0004\u0014\u0000[Content_Types].xml"),
    [`: This is a workbook (Excel, Numbers or LibreOffice), not a CSV file. ${SAVE_AS}`],
  ],
  [
    "an old Excel workbook",
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]),
    [`: This is an old Excel workbook (.xls), not a CSV file. ${SAVE_AS}`],
  ],
  ["a PDF", "%PDF-1.7\n", [": This is a PDF, not a CSV file. Export the table from the program that made the PDF."]],
  ["an empty file", "", [`: The file is empty. Its first row should name its columns: ${COLUMNS}.`]],
  [
    "only rows of empty cells",
    ",,,,\r\n,,,,\r\n",
    [`: The file is empty. Its first row should name its columns: ${COLUMNS}.`],
  ],
  [
    "UTF-16 without a byte order mark",
    Buffer.from(csv(milk()), "utf16le"),
    [`: This file's text is UTF-16 without a mark that says so. ${SAVE_AS}`],
  ],
  [
    "Windows-1252 text",
    latin1(csv(milk({ title: "Fresh chèvre" }))),
    [
      ': row 2, title (column B): "Fresh ch�vre" has a letter that cannot be read: the file is not saved as UTF-8. Open it in the spreadsheet, and save it as "CSV UTF-8 (Comma delimited)".',
    ],
  ],
  [
    "a header in Windows-1252",
    latin1(`slug,títle,variant\r\n`),
    [
      ': row 1, column B: the name "t�tle" cannot be read: the file is not saved as UTF-8. Save it as "CSV UTF-8 (Comma delimited)".',
    ],
  ],
  [
    "accents with a broken encoding from Windows",
    csv(milk({ title: "CrÃ¨me fraÃ®che" }), milk({ slug: "mane", title: "Lionâ€™s mane" })),
    [
      `: row 2, title (column B): "CrÃ¨me fraÃ®che" was probably "Crème fraîche" ${BROKEN}`,
      `: row 3, title (column B): "Lionâ€™s mane" was probably "Lion’s mane" ${BROKEN}`,
    ],
  ],
  [
    "accents with a broken encoding from a Mac",
    csv(milk({ title: "Jalape√±os" })),
    [`: row 2, title (column B): "Jalape√±os" was probably "Jalapeños" ${BROKEN}`],
  ],
  [
    "the header of another table",
    "Name,Email\r\nAda,ada@farm.example\r\n",
    [
      `: row 1, column A: there is no column "Name". The columns are ${COLUMNS}.`,
      ': row 1, column B: there is no column "Email".',
      ": row 1: the header needs the columns slug and variant.",
    ],
  ],
  [
    "a mistyped header",
    `slug,titel,variant,vendr,Sale Prise\r\n`,
    [
      ': row 1, column B: there is no column "titel". Did you mean title?',
      ': row 1, column D: there is no column "vendr". Did you mean vendor?',
      ': row 1, column E: there is no column "Sale Prise". Did you mean sale_price?',
    ],
  ],
  [
    "a duplicate column",
    `Slug,slug,variant\r\n`,
    [': row 1, column B: the header names "slug" twice. Delete one of the two columns, or rename it.'],
  ],
  ["a missing column", `title,vendor\r\n`, [": row 1: the header needs the columns slug and variant."]],
  [
    "a column without a name",
    `slug,,variant\r\nmilk,Milk,Pint\r\n`,
    [
      ": row 2, column B: this column has no name in the header. Name it, or delete it.",
      ": row 2, title: this is empty. It should be the title of the product, on its first row.",
      ": row 2, vendor: this is empty. It should be the vendor of the product, on its first row.",
    ],
  ],
  [
    "an unquoted comma",
    csv("milk,Milk, raw,oak-farm,Pint,carmel,4.50,5,,"),
    [": row 2, column J: this row has 10 cells, and the header has 9. A cell with a comma in it must be in quotes."],
  ],
  [
    "an unclosed quote",
    csv(milk(), `"cream,Cream,oak-farm,Pint,carmel,4.50,5,,`),
    [': row 3: a cell begins with a quote (") that is never closed. Close it, or take it out.'],
  ],
  [
    "a quote in a cell",
    csv(milk({ title: '12" cake' })),
    [': row 2: a quote (") is inside a cell. Put the whole cell in quotes and write the quote twice: "12"" cake".'],
  ],
  [
    "text after a closing quote",
    csv(milk({ title: '"Milk" raw' })),
    [
      ': row 2: there is text behind a closing quote ("). A quote inside a cell in quotes is written twice: "12"" cake".',
    ],
  ],
  [
    "a vendor name instead of its slug",
    csv(milk({ vendor: "Blackbird Farm" })),
    [': row 2, vendor (column C): there is no vendor "Blackbird Farm". Did you mean blackbird-farm?'],
  ],
  [
    "a mistyped vendor",
    csv(milk({ vendor: "blakbird-farm" })),
    [': row 2, vendor (column C): there is no vendor "blakbird-farm". Did you mean blackbird-farm?'],
  ],
  [
    "an abbreviated hub",
    csv(milk({ hub: "carm" })),
    [': row 2, hub (column E): there is no hub "carm". Did you mean carmel?'],
  ],
  [
    "an unknown hub",
    csv(milk({ hub: "fishers" })),
    [': row 2, hub (column E): there is no hub "fishers". The hubs are carmel, denver.'],
  ],
  [
    "an unknown picture",
    csv(milk({ images: "milk.jpg" })),
    [': row 2, images (column I): there is no picture "milk.jpg". `market images import` brings pictures in.'],
  ],
  [
    "a title instead of a slug",
    csv(milk({ slug: "Whole Milk" })),
    [`: row 2, slug (column A): "Whole Milk" ${SLUG} Did you mean whole-milk?`],
  ],
  [
    "a price in words, and one with a decimal comma",
    csv(milk({ price: "four" }), milk({ slug: "cream", price: '"4,50"' })),
    [
      ': row 2, price (column F): "four" should be an amount in dollars, such as 4.50.',
      ': row 3, price (column F): "4,50" should be an amount in dollars, such as 4.50. Did you mean 4.50, with a point instead of the comma?',
    ],
  ],
  [
    "negative stock, and fractional stock",
    csv(milk({ inventory: "-5" }), milk({ slug: "cream", inventory: "2.5" })),
    [
      ': row 2, inventory (column G): "-5" should be a whole number from 0 to 1,000,000.',
      ': row 3, inventory (column G): "2.5" should be a whole number from 0 to 1,000,000.',
    ],
  ],
  [
    "a sale price above the price",
    "slug,title,vendor,variant,hub,price,sale_price\r\nmilk,Milk,oak-farm,Pint,carmel,4,5\r\n",
    [': row 2, sale_price (column G): "5.00" should be less than the price, or none for no sale.'],
  ],
  [
    "a price without a hub",
    csv(milk({ hub: "" })),
    [": row 2, hub (column E): this is empty. It should be the hub that has this price."],
  ],
  [
    "a date that does not exist",
    "slug,title,vendor,variant,pre_order_date\r\nmilk,Milk,oak-farm,Pint,2/30/26\r\n",
    [': row 2, pre_order_date (column E): "2/30/26" should be a date such as 2026-11-26 or 11/26/2026.'],
  ],
  [
    "an unknown storage",
    "slug,title,vendor,variant,storage\r\nmilk,Milk,oak-farm,Pint,fridge\r\n",
    [': row 2, storage (column E): "fridge" should be one of dry, cold, frozen.'],
  ],
  [
    "a duplicate row",
    csv(milk(), milk()),
    [': row 3, variant (column D): "Pint" should be something else: row 2 has the same slug, variant, hub.'],
  ],
  [
    "two products with the same slug",
    csv(milk(), milk({ title: "Oat milk", variant: "Quart" })),
    [': row 3, title (column B): "Oat milk" should be empty, or the same as in row 2: both are of one product.'],
  ],
  [
    "several mistakes in one row after a text with line ends",
    csv(milk({ description: '"One\r\ntwo"' }), "Goat Milk,,Blackbird,Pint,carmle,$,many,,x.jpg"),
    [
      `: row 3, slug (column A): "Goat Milk" ${SLUG} Did you mean goat-milk?`,
      ': row 3, vendor (column C): there is no vendor "Blackbird". Did you mean blackbird-farm?',
      ': row 3, hub (column E): there is no hub "carmle". Did you mean carmel?',
      ': row 3, price (column F): "$" should be an amount in dollars, such as 4.50.',
      ': row 3, inventory (column G): "many" should be a whole number from 0 to 1,000,000.',
      ': row 3, images (column I): there is no picture "x.jpg". `market images import` brings pictures in.',
    ],
  ],
];

const otherTables: [noun: string, ...Row][] = [
  [
    "banners",
    "a local time without a hub",
    "hub,type,title,starts_at\r\n,information,Open,11/26/26 12:00 PM\r\n",
    [
      ': row 2, starts_at (column D): "11/26/26 12:00 PM" is a local time, but this row names no hub whose time zone applies. Name a hub in the column hub, or write the time in UTC, such as 2026-11-26T17:00:00Z.',
    ],
  ],
  [
    "banners",
    "an end before its start",
    "hub,type,title,starts_at,ends_at\r\ncarmel,warning,Snow,11/26/26 12:00,11/26/26 9:00\r\n",
    [
      ": row 2, ends_at (column E): it ends 2026-11-26T14:00:00Z, which should be later than its start, 2026-11-26T17:00:00Z.",
    ],
  ],
  [
    "banners",
    "a date without a time",
    "hub,type,title,starts_at\r\ncarmel,information,Open,11/26/26\r\n",
    [
      ': row 2, starts_at (column D): "11/26/26" should be a date and a time such as 2026-11-26 12:00 or 11/26/2026 5:00 PM, by the hub\'s clock.',
    ],
  ],
  [
    "discounts",
    "a percentage and an amount",
    "code,percent,amount\r\nTEN,10,5.00\r\n",
    [
      ': row 2, percent (column B): "10" should be a percentage, or empty with an amount in dollars in the column amount.',
    ],
  ],
  [
    "bundles",
    "the old name of a column",
    "slug,title,discount,items\r\nbreakfast,Breakfast,$5,1 x milk / Pint\r\n",
    [': row 1, column C: there is no column "discount". Did you mean percent?'],
  ],
  [
    "bundles",
    "dollars for percent, and an item without a quantity",
    "slug,title,percent,items\r\nbreakfast,Breakfast,$5,milk\r\n",
    [
      ': row 2, percent (column C): "$5" should be the percent taken off, from 0 to 100, such as 10 or 2.5.',
      ': row 2, items (column D): "milk" should be at most 100 values with | between them, each a quantity, a product and its variant, such as 2 x wildflower-honey / 12 oz jar.',
    ],
  ],
  [
    "vendors",
    "an invalid email address",
    "slug,name,city,state,email\r\nelm,Elm,Sheridan,IN,elm at farm\r\n",
    [': row 2, email (column E): "elm at farm" should be an email address, such as hello@farm.example.'],
  ],
];

const square = [
  [
    [-86.2, 39.9],
    [-86.0, 39.9],
    [-86.0, 40.1],
    [-86.2, 40.1],
    [-86.2, 39.9],
  ],
];
const hub = (properties: object = {}, geometry: unknown = { type: "Polygon", coordinates: square }): string =>
  JSON.stringify({
    type: "FeatureCollection",
    features: [
      {
        type: "Feature",
        properties: { slug: "west", name: "West", deliveryDay: "Thursday", zipCode: "46032", ...properties },
        geometry,
      },
    ],
  });
const polygon = (points: number[][]): unknown => ({ type: "Polygon", coordinates: [points] });

const hubs: Row[] = [
  [
    "a fee with a dollar sign in quotes",
    hub({ deliveryFee: "$7.50" }),
    [
      ':1:158 deliveryFee: "$7.50" should be dollars without quotes and without a dollar sign, such as 7.50, or "none" for the market\'s default.',
    ],
  ],
  [
    "a rate with a percent sign",
    hub({ taxRate: "8.5%" }),
    [
      ':1:154 taxRate: "8.5%" should be a percentage from 0 to 50, without quotes and without a percent sign, such as 8.5.',
    ],
  ],
  [
    "zips in one string",
    hub({ zips: "95472,95444" }),
    [':1:151 zips: "95472,95444" should be a list of zips in quotes, such as ["46032", "46033"].'],
  ],
  [
    "a closed day without a reason",
    hub({ closures: ["2026-12-24"] }),
    [':1:156 closures 1: "2026-12-24" should be a closed day such as { "day": "2026-12-24", "reason": "Holidays" }.'],
  ],
  [
    "no name, no weekday",
    hub({ name: undefined, deliveryDay: undefined }),
    [
      ":1:72 name: this is missing. It should be the hub's name, such as Carmel market.",
      ":1:72 deliveryDay: this is missing. It should be a weekday in English, such as Thursday.",
    ],
  ],
  [
    "a pickup point without its hours",
    hub({ pickupPoints: [{ name: "Barn", address: "1 Road", city: "Carmel", state: "IN", zipCode: 46032 }] }),
    [
      ':1:233 pickupPoints 1, zipCode: 46032 should be its zip, five digits in quotes, such as "46032".',
      ":1:160 pickupPoints 1, hours: this is missing. It should be its hours in words, such as Thursday 3 to 7 PM.",
    ],
  ],
  [
    "a zip without quotes",
    hub({ zipCode: 46032 }),
    [':1:136 zipCode: 46032 should be a zip of five digits in quotes, such as "46032".'],
  ],
  [
    "a mistyped property",
    hub({ deliveryFees: 7 }),
    [':1:159 deliveryFees: there is no property "deliveryFees". Did you mean deliveryFee?'],
  ],
  [
    "a line",
    hub({}, { type: "LineString", coordinates: square[0] }),
    [":1:156 geometry: This is a line (LineString). Draw the hub's area as a closed shape (Polygon or MultiPolygon)."],
  ],
  [
    "a self-crossing outline",
    hub(
      {},
      polygon([
        [-86.2, 39.9],
        [-86.0, 40.1],
        [-86.0, 39.9],
        [-86.2, 40.1],
        [-86.2, 39.9],
      ]),
    ),
    [
      ":1:156 geometry: Lines cross at -86.1 40. The outline crosses itself here. Draw it without a crossing, and the parts of an area as a MultiPolygon.",
    ],
  ],
  [
    "an unclosed outline",
    hub({}, polygon(square[0]!.slice(0, -1))),
    [
      ":1:156 geometry: The outline is not closed: its last point differs from its first. Repeat the first point at the end.",
    ],
  ],
  [
    "latitude first, in range",
    hub({}, polygon(square[0]!.map(([lng, lat]) => [lat!, lng!]))),
    [
      ":1:156 geometry: The numbers are the other way round: longitude comes first. As it is, the outline is 9,129 miles from zip 46032 (Carmel, IN).",
    ],
  ],
  [
    "latitude first, out of range",
    hub(
      { zipCode: "95472" },
      polygon([
        [38.3, -122.9],
        [38.5, -122.9],
        [38.5, -122.7],
        [38.3, -122.9],
      ]),
    ),
    [
      ":1:156 geometry: The outline leaves the range of longitude −180 to 180 and latitude −90 to 90. Longitude comes first: [-86.13, 39.98], not [39.98, -86.13].",
    ],
  ],
  [
    "an outline far from its zip",
    hub({ zipCode: "80202" }),
    [
      ":1:156 geometry: The outline does not contain the middle of zip 80202 (Denver, CO), about 994 miles from it. Correct the outline or the zip, or confirm with --yes.",
    ],
  ],
  [
    "a truncated file",
    hub().slice(0, 150),
    [":1:145 the file ends in the middle. It was probably cut off when it was saved or sent: save it again."],
  ],
  [
    "an extra comma",
    hub().replace('"West",', '"West",,'),
    [":1:101 a name in quotes is missing here, or the comma before is too much."],
  ],
  [
    "a KML file",
    '<?xml version="1.0"?><kml></kml>',
    [": This is not GeoJSON but a file of another kind (KML, a shapefile?). Export the areas as GeoJSON."],
  ],
  ["an empty file", "", [": The file is empty. It should be GeoJSON with a feature for each hub."]],
];

const jpeg = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 400,
      height: 300,
      channels: 3,
      background: "#555",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  })
    .jpeg()
    .toBuffer();
const pictures: Row[] = [
  [
    "cut off.jpg",
    async () => (await jpeg()).subarray(0, 4_000),
    ["/cut off.jpg: the picture is cut off or damaged. Copy it again from the camera or phone."],
  ],
  [
    "IMG_0001.HEIC",
    Buffer.from("\0\0\0\u0018ftypheic\0\0\0\0mif1heic", "latin1"),
    [
      "/IMG_0001.HEIC: this is a HEIC picture, which most browsers cannot show. Export it as JPEG (on an iPhone: Settings, Camera, Formats, Most Compatible).",
    ],
  ],
  [
    "notes.docx",
    "PK\u0003\u0004",
    ["/notes.docx: this is not a picture that can be shown. Use JPEG, PNG, WebP, AVIF, GIF or TIFF."],
  ],
  ["empty.jpg", "", ["/empty.jpg: the file is empty. Copy it again from the camera or phone."]],
  [
    "eggs|milk.jpg",
    jpeg,
    ["/eggs|milk.jpg: this name cannot be used in other files. Rename it without | and to at most 100 letters."],
  ],
];

describe("files that spreadsheets, drawing tools and phones break: the error message of each", () => {
  let files = 0;
  const writeBrokenFile = async (name: string, content: Row[1]): Promise<string> => {
    const path = join(market.dir, `broken-${(files += 1)}`, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await contentOf(content));
    return path;
  };

  test("all 47 files of the trial are covered", () => {
    expect(tables.length + otherTables.length + hubs.length + pictures.length).toBeGreaterThanOrEqual(47);
  });

  test.each(tables)("products.csv: %s", { tags: ["fail:M17"] }, async (_name, content, lines) => {
    expect(await importOf("products", await writeBrokenFile("products.csv", content))).toEqual(rejection(lines));
  });

  test.each(otherTables)("%s.csv: %s", { tags: ["fail:M17"] }, async (noun, _name, content, lines) => {
    expect(await importOf(noun, await writeBrokenFile(`${noun}.csv`, content))).toEqual(rejection(lines));
  });

  test.each(hubs)("hubs.geojson: %s", { tags: ["fail:M17"] }, async (_name, content, lines) => {
    expect(await importOf("hubs", await writeBrokenFile("hubs.geojson", content))).toEqual(rejection(lines));
  });

  test.each(pictures)("photos/%s", { tags: ["fail:M17"] }, async (name, content, lines) => {
    expect(await importOf("images", dirname(await writeBrokenFile(name, content)))).toEqual(rejection(lines));
  });
});
