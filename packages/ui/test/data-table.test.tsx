import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { type Column, DataTable } from "../src/admin/data-table.tsx";
import { Button } from "../src/button.tsx";
import { LiveRegion } from "../src/live-region.tsx";
import { holdTimers } from "./hold-timers.ts";
import { render } from "./render.tsx";

interface Row {
  id: number;
  name: string;
}
const rows: Row[] = [
  { id: 1, name: "Anna" },
  { id: 2, name: "Ben" },
  { id: 3, name: "Priya" },
];
const onRemove = vi.fn<(row: Row) => void>();
const columns: Column<Row>[] = [
  { key: "name", head: "Name", cell: ({ name }) => <b>{name}</b>, narrow: "title" },
  { key: "id", head: "Number", cell: ({ id }) => <span>{`No. ${id}`}</span>, numeric: true, narrow: "end" },
  { key: "act", head: "Do", cell: (row) => <Button onClick={() => onRemove(row)}>Remove</Button> },
];
const table = {
  label: "People",
  columns,
  rowKey: ({ id }: Row) => id,
  empty: { title: "No one has this role.", note: "3 people, 1 filter." },
};
const row = (name: string) => page.getByRole("row").filter({ hasText: name });

test("data table: the head has 34 px, rows 36, and the sums are under them", async () => {
  render(<DataTable {...table} rows={rows} columns={columns.slice(0, 2)} sums={[{ label: "People", value: 3 }]} />);
  const height = (element: Element) => element.getBoundingClientRect().height;
  const [head, ...others] = page.getByRole("row").elements();
  expect([height(head!), ...others.map(height)]).toEqual([34, 36, 36, 36]);
  await expect.element(page.getByRole("definition")).toHaveTextContent("3");
});

test("data table: one row is in the tab order; arrows and J and K move the focus, Enter opens", async () => {
  const onOpen = vi.fn<(row: Row) => void>();
  const show = render(<DataTable {...table} rows={rows} onOpen={onOpen} columns={columns.slice(0, 2)} />);
  await userEvent.tab();
  await expect.element(row("Anna")).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}j");
  await expect.element(row("Priya")).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}{Enter}k");
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(rows[2]);
  await expect.element(row("Ben")).toHaveFocus();
  show(<DataTable {...table} rows={rows.slice(1)} onOpen={onOpen} columns={columns.slice(0, 2)} openKey={2} />);
  await expect.element(row("Ben")).toHaveFocus();
  await expect.element(row("Ben")).toHaveAttribute("aria-current", "true");
  await expect.element(row("Ben")).toHaveAttribute("tabindex", "0");
  await expect.element(row("Priya")).toHaveAttribute("tabindex", "-1");
});

test("data table: a click opens a row, a button in it does its own work", async () => {
  const onOpen = vi.fn<(row: Row) => void>();
  onRemove.mockClear();
  render(<DataTable {...table} rows={rows} onOpen={onOpen} />);
  await userEvent.click(row("Ben").getByRole("button", { name: "Remove" }));
  await userEvent.keyboard("{Enter}");
  expect(onRemove).toHaveBeenCalledTimes(2);
  expect(onOpen).not.toHaveBeenCalled();
  await userEvent.click(page.getByText("Ben"));
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(rows[1]);
});

test("data table: while it loads, bones appear after 150 ms, and one sentence is read after a second", async () => {
  const advance = holdTimers();
  render(
    <>
      <DataTable {...table} rows={undefined} />
      <LiveRegion />
    </>,
  );
  await expect.element(page.getByRole("table", { name: "People" })).toHaveAttribute("aria-busy", "true");
  const bone = document.querySelector("tbody span")!;
  const [appears] = bone.getAnimations();
  const opacityAt = (ms: number) => {
    appears!.pause();
    appears!.currentTime = ms;
    return getComputedStyle(bone).opacity;
  };
  expect([opacityAt(149), opacityAt(240)]).toEqual(["0", "1"]);
  advance(1000);
  await expect.element(page.getByRole("status").getByText("Loading People")).toBeInTheDocument();
});

test("data table: without rows it names what was looked for; when it failed, why, and Try again", async () => {
  const onRetry = vi.fn();
  const show = render(<DataTable {...table} rows={[]} />);
  await expect.element(page.getByText("No one has this role.")).toBeVisible();
  await expect.element(page.getByText("3 people, 1 filter.")).toBeVisible();
  const failure = { title: "People didn’t load.", onRetry };
  show(<DataTable {...table} rows={undefined} failure={failure} />);
  await expect.element(page.getByRole("alert").getByText("People didn’t load.")).toBeVisible();
  await userEvent.click(page.getByRole("button", { name: "Try again" }));
  expect(onRetry).toHaveBeenCalledOnce();
  show(<DataTable {...table} rows={rows} failure={failure} stale="As of 2:31 PM. You’re offline." />);
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  await expect.element(page.getByRole("status")).toHaveTextContent("As of 2:31 PM. You’re offline.");
  await expect.element(row("Anna")).toBeVisible();
});

test("data table: on a phone a row has two lines, and what has no place there is left out", async () => {
  await page.viewport(390, 700);
  onTestFinished(() => page.viewport(1280, 860));
  render(<DataTable {...table} rows={rows} />);
  const anna = row("Anna");
  expect(anna.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(66);
  expect(document.documentElement.scrollWidth).toBe(390);
  await expect.element(anna.getByText("No. 1")).toBeVisible();
  expect(anna.getByRole("button").elements()).toEqual([]);
});

test("data table: beside a panel its rows keep their height and the columns without a place there are left out; the arrows open", async () => {
  const onMove = vi.fn<(row: Row) => void>();
  const beside: Column<Row>[] = [{ ...columns[0]!, beside: "auto" }, columns[1]!];
  render(
    <DataTable
      {...table}
      columns={beside}
      rows={rows}
      rowId={({ id }) => `row-${id}`}
      onOpen={() => {}}
      onMove={onMove}
      openKey={1}
      isBeside
      changed={{ keys: new Set([3]), word: ", changed" }}
    />,
  );
  expect(row("Anna").element().getBoundingClientRect().height).toBe(36);
  await expect.element(page.getByRole("columnheader")).toHaveTextContent("Name");
  document.getElementById("row-1")!.focus();
  await userEvent.keyboard("{ArrowDown}");
  expect(onMove).toHaveBeenCalledExactlyOnceWith(rows[1]);
  await expect.element(row("Priya")).toHaveTextContent("Priya, changedNo. 3");
});
