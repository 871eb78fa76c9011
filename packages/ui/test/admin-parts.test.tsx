import { vendorColor } from "@marketday/domain/picture";
import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { CommandHint } from "../src/admin/command-hint.tsx";
import { CountList } from "../src/admin/count-list.tsx";
import { Pips } from "../src/admin/pips.tsx";
import { RunLine, type RunStep } from "../src/admin/run-line.tsx";
import { StatusMark } from "../src/admin/status-mark.tsx";
import { ToteTag } from "../src/admin/tote-tag.tsx";
import { VendorMark } from "../src/admin/vendor-mark.tsx";
import { LiveRegion } from "../src/live-region.tsx";
import { render } from "./render.tsx";

const color = (element: Element) => getComputedStyle(element).color;
const token = (name: string) => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = `var(${name})`;
  const value = color(probe);
  probe.remove();
  return value;
};

test("status mark: in a table a running state colors its mark alone, a late one its word as well", () => {
  render(
    <>
      <StatusMark shape="now" quiet>
        Packing
      </StatusMark>
      <StatusMark shape="late" quiet>
        Card declined
      </StatusMark>
    </>,
  );
  const word = (text: string) => color(page.getByText(text).element());
  expect([word("Packing"), word("Card declined")]).toEqual([token("--ink-2"), token("--st-late")]);
  const marks = [...document.querySelectorAll("svg")].slice(-2);
  expect(marks.map(color)).toEqual([token("--st-now"), token("--st-late")]);
});

const steps: RunStep[] = [
  { key: "cutoff", name: "Cutoff", state: "done", words: "Thu 1 AM" },
  { key: "sheets", name: "Sheets", state: "off", words: "missed" },
  { key: "filled", name: "Filled", state: "now", words: "11 of 17" },
  { key: "loaded", name: "Loaded", state: "ahead", words: "9 AM" },
];

test("run line: it is connected up to the step at which the work is, and each step reads its name, state and words", () => {
  render(<RunLine label="Carmel" steps={steps} />);
  const items = page.getByRole("list", { name: "Carmel" }).getByRole("listitem").elements();
  expect(items.map((item) => item.textContent)).toEqual([
    "Cutoff, done: Thu 1 AM",
    "Sheets, left out: missed",
    "Filled, in progress: 11 of 17",
    "Loaded, not yet: 9 AM",
  ]);
  const ground = document.body.appendChild(document.createElement("i"));
  onTestFinished(() => ground.remove());
  ground.style.color = "var(--st-done)";
  const lines = items.slice(1).map((item) => getComputedStyle(item, "::before").backgroundColor === color(ground));
  expect(lines).toEqual([true, true, false]);
});

test("run line: below 1024 px the words are only read", async () => {
  await page.viewport(390, 700);
  onTestFinished(() => page.viewport(1280, 860));
  render(<RunLine label="Carmel" steps={steps} />);
  const words = page.getByText("11 of 17").element();
  expect(words.getBoundingClientRect().width).toBe(1);
  expect(words.closest("li")!.getBoundingClientRect().right).toBeLessThanOrEqual(390);
});

test("vendor mark: it has the color that the vendor has everywhere, before the name", () => {
  render(<VendorMark id={12} name="Cluck & Co." />);
  const name = page.getByText("Cluck & Co.").element();
  expect(name.previousElementSibling?.getAttribute("data-stall")).toBe(String(vendorColor(12)));
});

test("tote tag: it reads as a tote and its number", () => {
  render(<ToteTag number={14} />);
  expect(page.getByText("14", { exact: true }).element().parentElement!.textContent).toBe("Tote 14");
});

test("command hint: Copy puts the whole line on the clipboard and confirms it", async () => {
  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  onTestFinished(() => writeText.mockRestore());
  render(
    <>
      <CommandHint command="day sheets carmel 2026-11-26" />
      <LiveRegion />
    </>,
  );
  await userEvent.click(page.getByRole("button", { name: "Copy ./market day sheets carmel 2026-11-26" }));
  expect(writeText).toHaveBeenCalledExactlyOnceWith("./market day sheets carmel 2026-11-26");
  await expect.element(page.getByRole("status").getByText("Copied")).toBeInTheDocument();
});

test("command hint: without a clipboard the line is selected, to copy by hand", async () => {
  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new DOMException("no"));
  onTestFinished(() => writeText.mockRestore());
  render(
    <>
      <CommandHint command="doctor" />
      <LiveRegion />
    </>,
  );
  await userEvent.click(page.getByRole("button", { name: "Copy ./market doctor" }));
  await expect.poll(() => String(getSelection())).toBe("./market doctor");
});

test("count list: a count leads to its list, or opens the command that lists it", async () => {
  render(
    <CountList
      title="Money"
      counts={[
        { key: "due", label: "Payouts", value: "$12.00", to: "/admin/payouts" },
        { key: "declined", label: "Cards declined", value: "2", level: "late", command: "orders list" },
      ]}
    />,
  );
  const list = page.getByRole("list", { name: "Money" });
  await expect.element(list.getByRole("link", { name: "Payouts $12.00" })).toHaveAttribute("href", "/admin/payouts");
  const count = list.getByRole("button", { name: "Cards declined late 2" });
  await expect.element(count).toHaveAttribute("aria-expanded", "false");
  await userEvent.click(count);
  await expect.element(list.getByText("./market orders list")).toBeVisible();
  await userEvent.click(count);
  await expect.element(list.getByText("./market orders list")).not.toBeInTheDocument();
});

test("pips: each unit is one, those that are missing are struck; above 24 they are one bar; neither is read out", () => {
  render(
    <div role="group" aria-label="Units">
      <Pips of={5} came={3} />
      <Pips of={40} came={30} size="lg" />
    </div>,
  );
  const shown = page.getByRole("group", { name: "Units" }).element();
  expect([...shown.querySelectorAll("i")].map((pip) => pip.hasAttribute("data-struck"))).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
  const [all, filled] = [...shown.querySelectorAll("rect")].map((bar) => bar.getBoundingClientRect().width);
  expect(filled! / all!).toBeCloseTo(0.75, 1);
  expect([...shown.children].every((drawing) => drawing.getAttribute("aria-hidden") === "true")).toBe(true);
});
