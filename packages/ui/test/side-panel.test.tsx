import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { SidePanel } from "../src/admin/side-panel.tsx";
import { ViewTabs } from "../src/admin/view-tabs.tsx";
import { LiveRegion } from "../src/live-region.tsx";
import { dismissToast, toastStore } from "../src/toast-store.ts";
import { render } from "./render.tsx";

const panel = {
  label: "Order 397 120 862",
  place: "5 of 43",
  link: "/admin/orders/397120862",
  isWhole: false,
  titleId: "title",
  title: "Flora Evans",
};

test("side panel: it names the row and its place, and its buttons walk through the list; at an end they do nothing", async () => {
  const [onNext, onClose] = [vi.fn(), vi.fn()];
  render(
    <SidePanel {...panel} onNext={onNext} onClose={onClose}>
      <p>Two dozen eggs</p>
    </SidePanel>,
  );
  const region = page.getByRole("region", { name: "Order 397 120 862" });
  await expect.element(region.getByText("5 of 43")).toBeVisible();
  await userEvent.click(region.getByRole("button", { name: "Next row" }));
  expect(onNext).toHaveBeenCalledOnce();
  await expect.element(region.getByRole("button", { name: "Previous row" })).toHaveAttribute("aria-disabled", "true");
  await userEvent.click(region.getByRole("button", { name: "Close the panel" }));
  expect(onClose).toHaveBeenCalledOnce();
});

test("side panel: Esc closes it from anywhere but from a field beside it and from what keeps Esc for itself", async () => {
  const onClose = vi.fn();
  render(
    <>
      <input type="search" aria-label="Find" />
      <SidePanel {...panel} onClose={onClose}>
        <div role="presentation" onKeyDown={(event) => event.preventDefault()}>
          <button type="button">A form</button>
        </div>
      </SidePanel>
    </>,
  );
  await userEvent.click(page.getByRole("searchbox", { name: "Find" }));
  await userEvent.keyboard("{Escape}");
  await userEvent.click(page.getByRole("button", { name: "A form" }));
  await userEvent.keyboard("{Escape}");
  expect(onClose).not.toHaveBeenCalled();
  document.getElementById("title")!.focus();
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
});

test("side panel: in place of its list it has a way back and the screen's title", async () => {
  const onClose = vi.fn();
  render(
    <SidePanel {...panel} isWhole onClose={onClose}>
      <p>Two dozen eggs</p>
    </SidePanel>,
  );
  await expect.element(page.getByRole("heading", { level: 1, name: "Flora Evans" })).toBeVisible();
  await userEvent.click(page.getByRole("button", { name: "Back to the list" }));
  expect(onClose).toHaveBeenCalledOnce();
});

test("side panel: Copy the link puts the whole address on the clipboard and confirms it", async () => {
  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  onTestFinished(() => {
    writeText.mockRestore();
    for (const { id } of toastStore.current()) dismissToast(id);
  });
  render(
    <>
      <SidePanel {...panel} onClose={() => {}}>
        <p>Two dozen eggs</p>
      </SidePanel>
      <LiveRegion />
    </>,
  );
  await userEvent.click(page.getByRole("button", { name: "Copy the link" }));
  expect(writeText).toHaveBeenCalledExactlyOnceWith(`${location.origin}/admin/orders/397120862`);
  await expect.element(page.getByRole("status").getByText("Link copied")).toBeInTheDocument();
});

test("view tabs: each is a link with its count, and the one that is shown is current", async () => {
  const views = [
    { key: "all", label: "All", count: 128, to: "/boxes" },
    { key: "due", label: "To collect", count: 7, to: "/boxes?show=due" },
  ];
  render(<ViewTabs label="Views" views={views} current="due" />);
  const nav = page.getByRole("navigation", { name: "Views" });
  await expect.element(nav.getByRole("link", { name: "To collect 7" })).toHaveAttribute("aria-current", "page");
  await expect.element(nav.getByRole("link", { name: "All 128" })).not.toHaveAttribute("aria-current");
});
