import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { Button } from "../src/button.tsx";
import { render } from "./render.tsx";

test("button: disabled, it can be reached with Tab, and neither Enter nor Space nor a submit in its form does anything", async () => {
  const onClick = vi.fn();
  const onSubmit = vi.fn();
  render(
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <input aria-label="Zip code" />
      <Button type="submit" disabled onClick={onClick}>
        Continue
      </Button>
    </form>,
  );
  await userEvent.click(page.getByRole("textbox", { name: "Zip code" }));
  await userEvent.keyboard("46032{Enter}{Tab}");
  const button = page.getByRole("button", { name: "Continue" });
  await expect.element(button).toHaveFocus();
  await expect.element(button).toHaveAttribute("aria-disabled", "true");
  await userEvent.keyboard("{Enter} ");
  expect([onClick.mock.calls, onSubmit.mock.calls]).toEqual([[], []]);
});

test("button: busy, it says what runs, and keeps its width and the focus", async () => {
  const show = render(<Button>Place order for $46.70</Button>);
  const button = page.getByRole("button");
  await userEvent.click(button);
  const { width } = button.element().getBoundingClientRect();
  show(<Button busy="Placing…">Place order for $46.70</Button>);
  await expect.element(button).toHaveAccessibleName("Placing…");
  await expect.element(button).toHaveAttribute("aria-busy", "true");
  await expect.element(button).toHaveFocus();
  expect(button.element().getBoundingClientRect().width).toBe(width);
});
