import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";

import { formatMoney, formatWhole } from "./money.ts";
import { Pagination } from "./pagination.tsx";
import { PictureControls } from "./picture-controls.tsx";
import { Money, Price } from "./price.tsx";
import { Scale } from "./scale.tsx";
import { Stars } from "./stars.tsx";
import { Stepper } from "./stepper.tsx";

const words = (html: string) => html.replaceAll(/<[^>]*>/g, "");
const render = (element: Parameters<typeof renderToStaticMarkup>[0]) => renderToStaticMarkup(element);

test("money: two decimals, a half cent up, a real minus", () => {
  expect([0, 8.95, 20, 0.1 + 0.2, 1234.5, -2, 0.125].map(formatMoney)).toEqual([
    "$0.00",
    "$8.95",
    "$20.00",
    "$0.30",
    "$1,234.50",
    "−$2.00",
    "$0.13",
  ]);
  expect(formatWhole(2000)).toBe("$20");
});

test("price: on sale the sale's, and what it was; without a sale nothing that it was", () => {
  expect(words(render(<Price price={14.5} salePrice={11} />))).toBe("$1100$11.00, was $14.50");
  expect(words(render(<Price price={6.5} />))).toBe("$650$6.50");
  expect(words(render(<Price price={6.5} salePrice={0} />))).toContain("$0.00, was $6.50");
  expect(words(render(<Money amount={5} was={8} />))).toBe("was $8.00 $5.00");
  for (const was of [5, null]) expect(words(render(<Money amount={5} was={was} />))).toBe("$5.00");
});

test("stepper: at its bound the button there is disabled", () => {
  const buttons = (quantity: number, max: number, min: 0 | 1 = 0) => {
    const html = render(<Stepper look="line" name="Eggs" quantity={quantity} max={max} min={min} onChange={vi.fn()} />);
    return [...html.matchAll(/<button[^>]*?aria-label="([^"]*)"([^>]*)>/g)].map(
      ([, label, rest]) => `${label}${rest?.includes("aria-disabled") ? " (off)" : ""}`,
    );
  };
  expect(buttons(0, 3)).toEqual(["Add Eggs"]);
  expect(buttons(1, 3)).toEqual(["Remove Eggs", "Add one Eggs"]);
  expect(buttons(2, 3)).toEqual(["Remove one Eggs", "Add one Eggs"]);
  expect(buttons(3, 3)).toEqual(["Remove one Eggs", "Add one Eggs (off)"]);
  expect(buttons(1, 3, 1)).toEqual(["Remove one Eggs (off)", "Add one Eggs"]);
  expect(buttons(0, 0)).toEqual(["Add Eggs (off)"]);
});

test("stepper: pressed it changes by one, pressed at its bound it reports the limit instead", () => {
  const press = (quantity: number, max: number, min: 0 | 1 = 0) => {
    const [onChange, onLimit] = [vi.fn(), vi.fn()];
    let buttons: (() => void)[] = [];
    function Pressed() {
      const { children } = Stepper({ look: "line", name: "Eggs", quantity, max, min, onChange, onLimit }).props as {
        children: ({ type?: string; props: { onClick: () => void } } | false)[];
      };
      buttons = children.flatMap((child) => (child && child.type === "button" ? [child.props.onClick] : []));
      return null;
    }
    render(<Pressed />);
    for (const button of buttons) button();
    return [onChange.mock.calls.flat(), onLimit.mock.calls.length];
  };
  expect([press(2, 3), press(3, 3), press(1, 3, 1), press(0, 0), press(1, 3)]).toEqual([
    [[1, 3], 0],
    [[2], 1],
    [[2], 0],
    [[], 1],
    [[0, 2], 0],
  ]);
});

test("pages: one page has no numbers, and the current one of several is marked", () => {
  const pages = (count: number) =>
    render(<Pagination label="Pages" page={2} pages={count} href={(page) => `?page=${page}`} onSelect={vi.fn()} />);
  expect(pages(1)).toBe("");
  expect([...pages(3).matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(["?page=1", "?page=2", "?page=3"]);
  expect(/aria-label="([^"]*)" aria-current="page"/.exec(pages(3))?.[1]).toBe("Page 2");
});

test("stars: rounded to the half, with how many reviews, one in the singular", () => {
  const label = (rating: number, count?: number) =>
    /aria-label="([^"]*)"/.exec(render(<Stars rating={rating} {...(count === undefined ? {} : { count })} />))?.[1];
  expect([label(4.3, 38), label(4, 1), label(0.2)]).toEqual([
    "4.5 out of 5 stars, 38 reviews",
    "4 out of 5 stars, 1 review",
    "0 out of 5 stars",
  ]);
});

test("scale: its steps are numbered from where it begins, and only the chosen one is set", () => {
  const html = render(<Scale legend="How" labels={["No", "Yes"]} from={0} value={0} onChange={vi.fn()} />);
  expect(
    [...html.matchAll(/<input[^>]*>/g)].map(([input]) => [/value="(\d)"/.exec(input)?.[1], input.includes("checked")]),
  ).toEqual([
    ["0", true],
    ["1", false],
  ]);
});

test("pictures: the first has none before it, the last none after it, and a single one no numbers", () => {
  const off = (at: number, count: number) =>
    [...render(<PictureControls at={at} count={count} onShow={vi.fn()} />).matchAll(/<button[^>]*>/g)].map(([button]) =>
      button.includes("aria-disabled"),
    );
  expect([off(0, 2), off(1, 2), off(1, 3), off(0, 1)]).toEqual([[true, false], [false, true], [false, false], []]);
});
