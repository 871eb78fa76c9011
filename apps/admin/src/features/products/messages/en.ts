import { pluralIn } from "@marketday/domain/message-format";
import type { OfferTokenName } from "@marketday/domain/offer-query";
// The grid of products, in English.

const plural = pluralIn("en");
export const number = (value: number) => value.toLocaleString("en-US");
const offers = (count: number) => plural(count, { one: "1 offer", other: `${number(count)} offers` });
const cells = (count: number) => plural(count, { one: "1 cell", other: `${number(count)} cells` });
const rows = (count: number) => plural(count, { one: "1 row", other: `${number(count)} rows` });

export const title = "Products";
export const grid = "Offers";
export const countOf = (shown: number, all: number) =>
  shown === all ? offers(all) : `${number(shown)} of ${offers(all)}`;
export const exportCount = (count: number) => `Export ${number(count)}`;
export const exporting = "Exporting…";
export const exportFailed = "The export didn’t work.";
export const columns = "Columns";
export const bulk = "Bulk change…";
export const more = (shown: number) => `The first ${number(shown)} are shown. Narrow the filter to see the others.`;

// Keys
export const keys = { edit: "F2", fill: "Ctrl D", undo: "Ctrl Z", save: "Ctrl S" };
export const keyEdit = "edit";
export const keyFill = "fill down";
export const keyUndo = "undo";
export const shortcuts = {
  undo: "Undo the last change that is not saved",
  redo: "Do it again",
  save: "Save all changes",
  filter: "Filter the products",
};

// Columns
export const product = "Product";
export const heads = {
  market: "Market",
  price: "Price $",
  sale_price: "Sale price",
  inventory: "Stock",
  weekly_inventory: "Refill",
  sold: "Sold",
  watching: "Watching",
  offered: "Offered",
  storage: "Storage",
  tags: "Tags",
  unit: "Unit",
  title: "Title",
  published: "In the shop",
};
export const columnHints: Partial<Record<keyof typeof heads, string>> = {
  weekly_inventory: "What a new week refills the stock to",
  sold: "Units ordered for the next delivery",
  watching: "Shoppers who keep it in their cart although it is sold out",
  published: "Whether the shop shows the product, in every market",
  storage: "The same in every market",
  tags: "The same in every market",
  title: "The same in every market",
  unit: "The same in every market",
};
export const none = "–";
export const ofVendor = (count: number) => offers(count);

// Views
export const viewNames = {
  all: "All offers",
  watched: "Sold out, but watched",
  oversold: "Sold more than the refill",
  picture: "No picture",
  sale: "On sale",
};

// The filter
export const filter = "Filter the products";
export const filterHint = "vendor:, stock:out, price:>20, or any name";
export const filterHintShort = "Vendor, product";
export const searchWords = (text: string) => `“${text}” in products, variants and vendors`;
export const tokenDetails: Readonly<Record<OfferTokenName, string>> = {
  hub: "a market",
  vendor: "a vendor",
  product: "a product",
  tag: "a tag",
  storage: "dry, cold or frozen",
  stock: "out, or a number like <5",
  price: "an amount, or more or less than one",
  offered: "in the shop or not",
  has: "watchers, a sale, more sold than the refill",
  no: "no picture, refill or tag",
};
export const valueWords: Readonly<Record<string, string>> = {
  "stock:0": "sold out",
  "offered:yes": "in the shop",
  "offered:no": "not in the shop",
  "has:watchers": "watchers",
  "has:sale": "a sale price",
  "has:oversold": "more sold than the refill",
  "no:picture": "picture",
  "no:refill": "refill",
  "no:tag": "tags",
};
export const compared = (is: string, value: string) =>
  is === "<" ? `less than ${value}` : is === ">" ? `more than ${value}` : value;

// Rows
export const selectOffer = (name: string) => `Select ${name}`;
export const selectAll = "Select all rows";
export const loadingOffers = "Loading products";
export const failedOffers = "The products didn’t load.";
export const filtersKept = "Your filters and changes are kept.";
export const badFilter = "That filter isn’t understood.";
export const noOffers = "No offers yet";
export const noOffersHelp = "Products come in with `market products import`, or from a vendor’s file.";
export const nothingFound = (words: string) => `Nothing is ${words}`;
export const inAll = (all: number) => `There are ${offers(all)} without the filter.`;
export const clearFilter = "Clear the filter";

// A cell
export const wasBefore = (value: string) => `It was ${value || "empty"}.`;
export const conflict = (by: string | null, value: string, time: string | null) =>
  by === null
    ? `This was set to ${value || "nothing"} while you were editing.`
    : `${by} set this to ${value || "nothing"}${time === null ? "" : ` at ${time}`}, while you were editing.`;
export const conflictBefore = (value: string) => `It was ${value || "empty"}.`;
export const takeTheirs = (value: string) => `Use theirs, ${value || "empty"}`;
export const keepMine = (value: string) => `Keep mine, ${value || "empty"}`;
export const goneDropped = (count: number) =>
  `${plural(count, { one: "1 change was", other: `${number(count)} changes were` })} of products that are no longer in the market, and left out. Nothing is saved yet.`;
export const edited = "changed, not saved";
export const saved = "saved";
export const yes = "Yes";
export const no = "No";

// What a paste did
export const pasted = (count: number) => `Pasted ${cells(count)}.`;
export const pastedBeyond = (count: number) =>
  plural(count, {
    one: "1 was beyond the grid and left out.",
    other: `${number(count)} were beyond the grid and left out.`,
  });
export const pastedFixed = (count: number) =>
  plural(count, {
    one: "1 was for a cell that can’t be changed here.",
    other: `${number(count)} were for cells that can’t be changed here.`,
  });
export const pastedEmpty = (count: number) =>
  plural(count, {
    one: "1 empty one left its cell as it is.",
    other: `${number(count)} empty ones left their cells as they are; write “none” to empty a cell.`,
  });
export const undone = "The last change was taken back.";
export const redone = "The change was done again.";

// The save bar
export const saveBar = "Changes";
export const changes = (count: number) => plural(count, { one: "1 change", other: `${number(count)} changes` });
export const inRows = (count: number) => `in ${rows(count)}`;
export const toFix = (count: number) => `${number(count)} to fix`;
export const changedSince = (count: number) => `${number(count)} changed by someone else`;
export const elsewhere = (count: number) => `${number(count)} not shown by the filter`;
export const showOnly = "Show only these";
export const showAll = "Show all rows";
export const discard = "Discard";
export const discardElsewhere = "Discard those not shown";
export const discarded = (count: number) => `${changes(count)} discarded`;
export const undo = "Undo";
export const save = (count: number) => `Save ${changes(count)}`;
export const saving = "Saving…";
export const fixFirst = (invalid: number, conflicts: number) =>
  [
    ...(invalid > 0 ? [`Fix ${cells(invalid)}`] : []),
    ...(conflicts > 0
      ? [
          `${invalid > 0 ? "resolve" : "Resolve"} ${plural(conflicts, { one: "1 conflict", other: `${number(conflicts)} conflicts` })}`,
        ]
      : []),
  ].join(" and ") + " to save";
export const notSaved = "The changes of products were not saved. They are kept: open Products to see why.";
export const nextProblem = "Go to the next one";
export const tooMany = (most: number, count: number) =>
  `That would be ${changes(count)}, and at most ${number(most)} are saved at once. Nothing was changed: narrow the filter, or select fewer rows.`;

// Large changes
export const largeTitle = "Are these amounts right?";
export const largeLead = "They change by more than a factor of three, or to zero.";
export const largeCell = (name: string, field: string) => `${name}, ${field}`;
export const fromTo = (from: string, to: string) => `${from} → ${to}`;
export const largeSave = "They are right, save";
export const goBack = "Go back";

// Bulk change
export const bulkTitle = (count: number) => `Change ${offers(count)}`;
export const bulkField = "What to change";
export const bulkHow = "How";
export const bulkKinds = { set: "Set to", percent: "By percent", add: "By an amount" };
export const bulkValue = { set: "New value", percent: "Percent", add: "Amount" };
export const bulkPercentHint = "Like 5, or -10 to lower it.";
export const bulkAddHint = { money: "Dollars, like 0.50 or -0.25.", units: "Units, like 10 or -5." };
export const bulkStep = "Round to";
export const bulkSteps = { 1: "cents", 5: "5 cents", 10: "10 cents", 25: "25 cents", 100: "dollars" };
export const bulkMissing = "Write the new value, or “none” to empty the cells.";
export const bulkNumber = "Write a number, like 5 or -2.5.";
export const bulkPreview = (changed: number, left: number) =>
  `${cells(changed)} will change${left > 0 ? `, ${number(left)} stay as they are` : ""}. Nothing is saved yet.`;
export const bulkApply = (count: number) => `Change ${cells(count)}`;
export const bulkDone = (count: number) => `${cells(count)} changed. Check them, then save.`;
export const cancel = "Cancel";

// Columns dialog
export const columnsTitle = "Columns";
export const columnsLead = "Which columns the grid shows, in this browser.";
export const done = "Done";
export const usual = "Usual columns";
