import { describe, expect, test } from "vitest";

import { addChanges, withChanges } from "./changes.ts";
import { changesSince } from "./drafts.ts";

const account = { name: "Ann", phone: "1", days: ["Monday"] };

describe("changes of a form", () => {
  test("only what was changed is kept", () => {
    expect(addChanges({}, { name: "Anna", phone: "1" }, account)).toEqual({ name: { value: "Anna", over: "Ann" } });
  });

  test("what was not changed follows the account", { tags: ["fail:M7"] }, () => {
    const changes = addChanges({}, { name: "Anna" }, account);
    expect(withChanges({ ...account, phone: "2" }, changes)).toEqual({ name: "Anna", phone: "2", days: ["Monday"] });
  });

  test("a change gives way when the account's own value is another by now", { tags: ["fail:M7"] }, () => {
    const changes = addChanges({}, { name: "Anna", days: [] }, account);
    expect(withChanges({ ...account, name: "Annette" }, changes)).toEqual({ ...account, name: "Annette", days: [] });
  });

  test("a value put back to the account's own is no change", () => {
    const changes = addChanges({}, { days: [] }, account);
    expect(addChanges(changes, { days: ["Monday"] }, account)).toEqual({});
  });

  test("what an older build kept is ignored", () => {
    expect(withChanges(account, { name: "Old", phone: null } as never)).toEqual(account);
  });
});

test("what was typed while a form was saved is kept over what was saved", () => {
  const first = { name: "Ann", phone: "" };
  const sent = addChanges({}, { name: " Anna" }, first);
  const saved = { name: "Anna", phone: "" };
  expect(changesSince(sent, withChanges(first, sent), saved)).toEqual({});
  const later = addChanges(addChanges(sent, { name: "Anna M" }, first), { phone: "1" }, first);
  const kept = changesSince(later, withChanges(first, sent), saved);
  expect(withChanges(saved, kept)).toEqual({ name: "Anna M", phone: "1" });
});
