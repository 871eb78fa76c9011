import { expect, test } from "vitest";

import { compareCatalogues, compareCount, findLiterals } from "./lint-messages.ts";

test.each([
  ["<p>Nothing here</p>", "Nothing here"],
  ["<p>{count} left</p>", "left"],
  ['<p>{isOpen ? t.open : "Closed"}</p>', '"Closed"'],
  ['<p>{isOpen && "Open"}</p>', '"Open"'],
  ["<p>{`Page ${page}`}</p>", "`Page ${page}`"],
  ['<IconButton icon="close" label="Close" />', '"Close"'],
  ['<img alt={name ?? "A picture"} />', '"A picture"'],
  ['<input aria-label={"Find " + noun} />', '"Find "'],
  ['<ErrorState retryLabel="Reload" />', '"Reload"'],
  ['toast({ text: "Saved", duration: 5 })', '"Saved"'],
  ["announce(`Loading ${label}`)", "`Loading ${label}`"],
  ['({ retryLabel = "Retry" }: Props) => retryLabel', '"Retry"'],
])("messages lint: the literal text of %s is found with its line", (line, literal) => {
  expect(findLiterals("a.tsx", `first();\n${line};`)).toEqual([{ line: 2, literal }]);
});

test.each([
  "<p>{t.nothing}</p>",
  '<p className="note" lang="en">{t.pageNumber(page)} · 3 &nbsp; ×</p>',
  '<p>{kind === "other" && t.other}</p>',
  '<p>{formatDay(date, "long")}</p>',
  '<Button kind="outline" label={t.close} />',
  'toast({ text: t.saved, tone: "error" })',
  'throw new Error("This piece belongs inside a <Dialog>.")',
])("messages lint: %s is left alone", (line) => {
  expect(findLiterals("a.tsx", `${line};`)).toEqual([]);
});

test("messages lint: another number of literals in the shop than the committed one is a problem, a lower one as well", () => {
  expect(compareCount(7, 7)).toBeUndefined();
  expect(compareCount(8, 7)).toMatch(/8 literal texts, 1 more than/);
  expect(compareCount(6, 7)).toMatch(/lower SHOP_LITERALS .* from 7 to 6/);
});

test("messages lint: a message that one language lacks, and one that leaves out a value, are differences", () => {
  const english = {
    close: "Close",
    page: (page: string) => `Page ${page}`,
    of: (place: string, count: string) => `${place} of ${count}`,
  };
  expect(compareCatalogues(english, { ...english, close: "Cerrar", page: (page) => `Página ${page}` })).toEqual([]);
  expect(compareCatalogues(english, { page: () => "Página", of: (place) => place, more: "Más" })).toEqual([
    "close: a text; missing",
    "page: values: shown; values: ",
    "of: values: shown, shown; values: shown",
    "more: missing; a text",
  ]);
  expect(compareCatalogues(english, { ...english, of: (place: string, _count: string) => `${place} de 3` })).toEqual([
    "of: values: shown, shown; values: shown, left out",
  ]);
});
