import { useState } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { ChipLink, ChipRail } from "../src/chip.tsx";
import { Pagination } from "../src/pagination.tsx";
import { Picture } from "../src/picture.tsx";
import { Prose } from "../src/prose.tsx";
import { Stepper } from "../src/stepper.tsx";
import { Tabs } from "../src/tabs.tsx";
import { render } from "./render.tsx";

function Facts() {
  const [current, setCurrent] = useState("about");
  const tabs = [
    { id: "about", label: "About", panel: <button type="button">Read more</button> },
    { id: "reviews", label: "Reviews", panel: "Two reviews" },
    { id: "questions", label: "Questions", panel: "No question" },
  ];
  return <Tabs label="Facts" tabs={tabs} current={current} onChange={setCurrent} />;
}

test("tabs: arrows, Home and End move the focus and show the panel, and Tab goes into it", async () => {
  render(<Facts />);
  const tab = (name: string) => page.getByRole("tab", { name, selected: true });
  await userEvent.click(page.getByRole("tab", { name: "About" }));
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(tab("Reviews")).toHaveFocus();
  await expect.element(page.getByRole("tabpanel", { name: "Reviews" })).toHaveTextContent("Two reviews");
  await userEvent.keyboard("{End}");
  await expect.element(tab("Questions")).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(tab("About")).toHaveFocus();
  await userEvent.keyboard("{ArrowLeft}{Home}{Tab}");
  await expect.element(page.getByRole("button", { name: "Read more" })).toHaveFocus();
});

function Quantity({ from, min, onLimit }: { from: number; min?: 0 | 1; onLimit?: () => void }) {
  const [quantity, setQuantity] = useState(from);
  return (
    <Stepper name="Eggs" look="tile" quantity={quantity} max={2} min={min} onChange={setQuantity} onLimit={onLimit} />
  );
}

const steps = page.getByRole("group", { name: "Quantity of Eggs" });
const button = (name: string) => steps.getByRole("button", { name, exact: true });

test("stepper: the plus keeps the focus from none to the limit, which it explains", async () => {
  const onLimit = vi.fn();
  render(<Quantity from={0} onLimit={onLimit} />);
  await userEvent.click(button("Add Eggs"));
  const plus = button("Add one Eggs");
  await expect.element(plus).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(plus).toHaveAttribute("aria-disabled", "true");
  await expect.element(steps.getByText("2")).toBeVisible();
  await userEvent.keyboard("{Enter}");
  await expect.element(steps.getByText("2")).toBeVisible();
  expect(onLimit).toHaveBeenCalledOnce();
});

test("stepper: at 1 the minus is a bin, which leaves only the plus, with the focus", async () => {
  render(<Quantity from={2} />);
  await userEvent.click(button("Remove one Eggs"));
  await expect.element(button("Remove Eggs")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(button("Add Eggs")).toHaveFocus();
  expect(steps.getByRole("button").elements()).toHaveLength(1);
});

test("stepper: where 1 is the least, the minus stays there and does nothing", async () => {
  render(<Quantity from={1} min={1} />);
  await expect.element(button("Remove one Eggs")).toHaveAttribute("aria-disabled", "true");
  await userEvent.tab();
  await expect.element(button("Remove one Eggs")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(steps.getByText("1")).toBeVisible();
});

test("pagination: numbers are links, a press selects the page in place, and a key of the browser's is left to it", async () => {
  const onSelect = vi.fn();
  render(
    <Pagination
      label="Pages"
      page={5}
      pages={9}
      href={(number) => `#page=${number}`}
      onSelect={(number) => onSelect(number)}
    />,
  );
  const pages = page.getByRole("navigation", { name: "Pages" });
  expect(
    pages
      .getByRole("listitem")
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual("1…456…9".split(""));
  await expect.element(pages.getByRole("link", { name: "Page 5" })).toHaveAttribute("aria-current", "page");
  const sixth = pages.getByRole("link", { name: "Page 6" });
  await expect.element(sixth).toHaveAttribute("href", "#page=6");
  await userEvent.click(sixth);
  expect(location.hash).toBe("");
  let isLeft = false;
  const notice = (event: Event) => {
    isLeft = !event.defaultPrevented;
    event.preventDefault();
  };
  addEventListener("click", notice, { once: true });
  await userEvent.click(sixth, { modifiers: ["Control"] });
  expect(isLeft).toBe(true);
  expect(onSelect.mock.calls).toEqual([[6]]);
});

test("pagination: a window of pages is in one line on the narrowest phone", async () => {
  await page.viewport(320, 640);
  onTestFinished(() => page.viewport(1280, 860));
  render(
    <div style={{ padding: "0 var(--gutter)" }}>
      <Pagination label="Pages" page={10} pages={20} href={String} onSelect={() => {}} />
    </div>,
  );
  const entries = page.getByRole("listitem").elements();
  expect(new Set(entries.map((entry) => entry.getBoundingClientRect().top)).size).toBe(1);
});

const photo = { url: "/img/tomatoes", alt: "A crate of tomatoes", thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI" };

test("picture: offered as AVIF, then WebP, then JPEG, on grounds of its colors, and fetched first where it decides", async () => {
  render(<Picture picture={photo} sizes="218px" priority="first" />);
  const image = page.getByRole("img", { name: "A crate of tomatoes" });
  await expect.element(image).toHaveAttribute("fetchpriority", "high");
  const choices = [...image.element().closest("picture")!.querySelectorAll("source, img")];
  expect(choices.map((choice) => choice.getAttribute("srcset")?.split(", ").at(-1))).toEqual([
    "/img/tomatoes/960.avif 960w",
    "/img/tomatoes/960.webp 960w",
    "/img/tomatoes/960.jpg 960w",
  ]);
  expect(getComputedStyle(image.element().closest("picture")!.parentElement!).backgroundImage).toMatch(
    /^linear-gradient/,
  );
});

test("picture: one far below is not fetched until it comes near", async () => {
  render(
    <div style={{ paddingTop: "300vh" }}>
      <Picture picture={photo} sizes="218px" />
      <p>The end</p>
    </div>,
  );
  const seen = Promise.withResolvers<void>();
  const observer = new IntersectionObserver(() => seen.resolve());
  observer.observe(page.getByText("The end").element());
  // The browser has reported what is in view.
  await seen.promise;
  observer.disconnect();
  const image = page.getByRole("img", { name: "A crate of tomatoes" });
  expect(image.elements()).toEqual([]);
  page.getByText("The end").element().scrollIntoView();
  await expect.element(image).toBeInTheDocument();
});

test("chips: the current one is brought into its rail's view, and the page stays where it is", async () => {
  render(
    <div style={{ width: 300, paddingTop: "150vh" }}>
      <ChipRail label="Categories">
        {Array.from({ length: 12 }, (_, place) => (
          <ChipLink key={place} to={`/collections/${place}`} current={place === 9}>
            Category {place}
          </ChipLink>
        ))}
      </ChipRail>
    </div>,
  );
  const current = page.getByRole("link", { name: "Category 9" });
  await expect.element(current).toHaveAttribute("aria-current", "page");
  const rail = current.element().closest("ul")!.getBoundingClientRect();
  const chip = current.element().getBoundingClientRect();
  expect(chip.left).toBeGreaterThanOrEqual(rail.left);
  expect(chip.right).toBeLessThanOrEqual(rail.right);
  expect(scrollY).toBe(0);
});

test("prose: a link to a page of ours is followed without a reload, one elsewhere opens a new tab", async () => {
  const onFollow = vi.fn();
  render(
    <Prose html='<p><a href="/faq">Questions</a> <a href="https://example.com/">Farm</a></p>' onFollow={onFollow} />,
  );
  await userEvent.click(page.getByRole("link", { name: "Questions" }));
  expect(onFollow.mock.calls).toEqual([["/faq"]]);
  addEventListener("click", (event) => event.preventDefault(), { once: true });
  await userEvent.click(page.getByRole("link", { name: "Farm" }));
  await expect.element(page.getByRole("link", { name: "Farm" })).toHaveAttribute("target", "_blank");
});
