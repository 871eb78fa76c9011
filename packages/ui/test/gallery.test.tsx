import axe from "axe-core";
import { expect, onTestFinished, test } from "vitest";
import { page, userEvent } from "vitest/browser";

import { Gallery } from "../gallery/gallery.tsx";
import { render } from "./render.tsx";

/** The texts of the kit's components, by their path. */
const components = import.meta.glob<string>(["../src/**/*.tsx", "!**/*.test.tsx"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const gallery = import.meta.glob<string>("../gallery/*.tsx", { query: "?raw", import: "default", eager: true });

test("gallery: it shows every component of the kit", () => {
  const shown = Object.values(gallery).join("\n");
  const missing = Object.entries(components).flatMap(([path, text]) =>
    [...text.matchAll(/^export (?:const|function) ([A-Z]\w*[a-z]\w*)/gm)]
      .filter(([, name]) => !new RegExp(`<${name}\\b`).test(shown))
      .map(([, name]) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

/** Elements that break a rule of axe, by rule. */
async function findViolations(runOnly: axe.RunOnly, within: axe.ElementContext = document): Promise<string[]> {
  // What fades in is too faint to read half-way.
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  const { violations } = await axe.run(within, { runOnly, resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}

const everything: axe.RunOnly = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
const contrast: axe.RunOnly = { type: "rule", values: ["color-contrast"] };

test("gallery: nothing on it breaks a rule of WCAG 2.2 AA in light, or has too little contrast in dark", async () => {
  render(<Gallery />);
  expect(await findViolations(everything)).toEqual([]);
  await userEvent.click(page.getByRole("radio", { name: "Dark" }));
  expect(await findViolations(contrast)).toEqual([]);
});

test("gallery: on a phone nothing on it is wider than the screen", async () => {
  await page.viewport(320, 640);
  onTestFinished(() => page.viewport(1280, 860));
  render(<Gallery />);
  const { scrollWidth, clientWidth } = document.documentElement;
  expect(scrollWidth).toBe(clientWidth);
});

test("gallery: nothing in its dialogs breaks a rule of WCAG 2.2 AA", async () => {
  render(<Gallery />);
  for (const size of ["Small", "Page", "Panel", "Cart", "Full"]) {
    await userEvent.click(page.getByRole("button", { name: `${size} dialog` }));
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.element().matches(":modal")).toBe(true);
    expect(await findViolations(everything, dialog.element()), size).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Close" }));
    await expect.element(dialog).not.toBeInTheDocument();
  }
});
