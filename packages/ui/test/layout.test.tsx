import { expect, test } from "vitest";
import { page } from "vitest/browser";

import { Button } from "../src/button.tsx";
import { Grid, Stack } from "../src/layout.tsx";
import { render } from "./render.tsx";

const left = (name: string) => page.getByRole("button", { name }).element().getBoundingClientRect().left;
const width = (name: string) => page.getByRole("button", { name }).element().getBoundingClientRect().width;

const pair = (room: number, min: "button" | "card") => (
  <div style={{ width: room }}>
    <Grid min={min} gap={4}>
      <Button>Cancel</Button>
      <Button>Save</Button>
    </Grid>
  </div>
);

test("grid: as many columns as there is room for; two buttons fill their row, two cards do not", () => {
  const show = render(pair(600, "button"));
  expect([width("Cancel"), width("Save")]).toEqual([292, 292]);
  show(pair(200, "button"));
  expect([left("Save") - left("Cancel"), width("Save")]).toEqual([0, 200]);
  // 17 rem are 272 px: three columns of them and two gaps of 16 px.
  show(pair(900, "card"));
  expect(width("Save")).toBeCloseTo((900 - 2 * 16) / 3, 1);
});

test("stack: a word that is wider than it does not widen it", () => {
  render(
    <div style={{ width: 100 }}>
      <Stack as="section" gap={4} aria-label="Narrow">
        <p style={{ overflowWrap: "normal" }}>Chrysanthemum-and-sunflower-bouquets</p>
        <Button>Save</Button>
      </Stack>
    </div>,
  );
  expect(page.getByRole("region", { name: "Narrow" }).element().getBoundingClientRect().width).toBe(100);
  expect(width("Save")).toBe(100);
});
