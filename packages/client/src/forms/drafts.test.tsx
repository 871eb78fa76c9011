import { act } from "react";
import { afterAll, beforeEach, expect, test, vi } from "vitest";

import { createBareRoot } from "../../test/root.ts";
import { createStorage } from "../storage.ts";
import { hasUnsavedWork } from "../unsaved-work.ts";
import { createDrafts } from "./drafts.ts";

const { useDraft } = createDrafts(createStorage("test"));
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  // React's own root, for a component without elements: the browser tests have the elements.
  vi.stubGlobal("window", { event: undefined, HTMLIFrameElement: Object });
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("document", { querySelector: () => null });
});

/** A field with a draft. */
function openField() {
  let draft: ReturnType<typeof useDraft> | undefined;
  function Field() {
    draft = useDraft("note");
    return null;
  }
  const root = createBareRoot();
  act(() => root.render(<Field />));
  return {
    text: () => draft?.text,
    write: (text: string) => act(() => draft?.write(text)),
    clear: () => act(() => draft?.clear()),
    close: () => act(() => root.unmount()),
  };
}

test("draft: what is being written holds off a reload, and is there in the next field until it is sent", () => {
  const field = openField();
  expect(hasUnsavedWork()).toBe(false);
  field.write("Two eggs were broken.");
  expect(hasUnsavedWork()).toBe(true);
  field.close();
  expect(hasUnsavedWork()).toBe(false);

  const next = openField();
  expect(next.text()).toBe("Two eggs were broken.");
  expect(hasUnsavedWork()).toBe(true);
  next.clear();
  expect(hasUnsavedWork()).toBe(false);
  next.close();
  const last = openField();
  expect(last.text()).toBe("");
  last.close();
});
