import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { AuditEntry } from "@marketday/contracts/admin/audit";
import { expect, test } from "vitest";

import { instant } from "#messages/audit";

import { changesOf, detailsOf } from "./changes.ts";
import { isKnown, pathOf, personOf, phraseOf, subjectOf } from "./words.ts";

const ROOT = new URL("../../../../..", import.meta.url).pathname;
const entry = (action: string, data: AuditEntry["data"] = {}, of: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 1,
  at: "2026-11-26T12:00:00.000Z",
  by: { kind: "staff", ref: "staff:ada@example.com", name: "Ada Kowalski" },
  action,
  subject: { kind: "order", id: "397120862", name: "" },
  reason: "",
  data,
  isCut: false,
  hub: null,
  day: null,
  change: null,
  ...of,
});

/** The sources that write entries: those of the server and of the commands, without tests. */
const sources = ["apps/server/src", "scripts/commands"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => readFileSync(join(ROOT, folder, path), "utf8"))
    .filter((text) => /AuditEntry|audit\(|findDuplicateOperation|setOptions|noteAlert/.test(text)),
);
/** Actions are "noun verb" in small letters, or a single word. */
const written = new Set(
  sources.flatMap((text) =>
    [...text.matchAll(/\baction: (?:[^`"\n]*\? )?"([a-z][a-z _-]*)"(?: : "([a-z][a-z _-]*)")?/g)].flatMap(
      ([, first, second]) => (second === undefined ? [first!] : [first!, second]),
    ),
  ),
);

test("audit words: every action that the server or a command writes has a sentence", () => {
  // Some that there surely are: without them, the pattern finds nothing any more.
  for (const known of ["orders refund", "staff roles", "vendors confirmed", "stock set", "alert"])
    expect([...written]).toContain(known);
  const unknown = [...written].filter((action) => !isKnown(action));
  expect(unknown, "Add these actions to `actions` of features/audit/messages/en.ts.").toEqual([]);
});

test("audit words: each sentence reads as a phrase, also without stored facts, and names no field", () => {
  for (const action of [...written, "products import", "cancel_order held", "mark_paid undo"]) {
    const phrase = phraseOf(entry(action));
    expect([action, phrase]).toEqual([action, expect.stringMatching(/^[a-z].{3,}[^ ]$/)]);
    expect(phrase).not.toMatch(/undefined|null|NaN|\$\{|\[object|_/);
  }
});

const order = "order 397\u00A0120\u00A0862";
test.each<[string, AuditEntry["data"], string]>([
  ["orders refund", { amountCents: 420, to: "card", bearer: "market" }, `refunded $4.20 of ${order} to the card`],
  ["orders refund", { amountCents: 420, to: "credit" }, `refunded $4.20 of ${order} as store credit`],
  ["orders cancel", { to: "card", backCents: 4120, creditCents: 0 }, `cancelled ${order}; $41.20 went back`],
  ["orders cancel", { to: "card", backCents: 0 }, `cancelled ${order}`],
  [
    "orders short",
    { missing: ["2 × Duck Eggs"], backCents: 1400 },
    `recorded 2 × Duck Eggs as missing in ${order}; $14.00 went back`,
  ],
  ["orders move", { from: "2026-11-26", to: "2026-12-03" }, `moved ${order} from 2026-11-26 to 2026-12-03`],
  ["orders paid", { cents: 3120 }, `recorded $31.20 of ${order} as paid at the door`],
  ["mark_paid undo", { actionId: 3 }, `undid the recording of payments of ${order}`],
  ["tote paint", {}, `tote paint: ${order}`],
])("audit words: %s with %j is “%s”", (action, data, phrase) => {
  expect(phraseOf(entry(action, data))).toBe(phrase);
});

test("audit words: a vendor who confirms by their link confirmed, and is not named as what was noted", () => {
  const by = { kind: "vendor", ref: "vendor:oak-farm", name: "Oak Farm" } as const;
  const confirmed = entry("vendors confirmed", { vendors: ["oak-farm"], isConfirmed: true });
  expect(phraseOf({ ...confirmed, by })).toBe(`confirmed what they bring to ${order}`);
  expect(phraseOf(confirmed)).toBe(`noted that oak-farm confirmed for ${order}`);
});

test("audit words: people, operators, shoppers, vendors and jobs are named as a person says it", () => {
  const by = (kind: AuditEntry["by"]["kind"], ref: string, name: string) =>
    personOf({ by: { kind, ref, name } }, "me@example.com");
  expect([
    by("staff", "staff:ada@example.com", "Ada Kowalski"),
    by("staff", "staff:me@example.com", "Me"),
    by("operator", "operator:root", "root"),
    by("customer", "customer:12", ""),
    by("vendor", "vendor:oak-farm", "Oak Farm"),
    by("system", "system:week", "week"),
    by("other", "stripe", "stripe"),
    by("other", "anonymous", "anonymous"),
  ]).toEqual([
    "Ada Kowalski",
    "You",
    "root, at the command line",
    "A shopper",
    "Oak Farm",
    "Automatic",
    "Payment provider (stripe)",
    "Someone without a sign-in",
  ]);
});

test("audit words: a subject is named, and leads to its screen where there is one", () => {
  const hub = { id: 1, slug: "carmel", name: "Carmel", timeZone: "UTC" };
  const of = (kind: string, id: string, name = "", more: Partial<AuditEntry> = {}) =>
    entry("x", {}, { subject: { kind, id, name }, ...more });
  const day = of("delivery", "20", "", { hub, day: "2026-11-26" });
  expect([subjectOf(day), pathOf(day)]).toEqual(["Thu, Nov 26 in Carmel", "/admin/days/carmel/2026-11-26"]);
  expect([subjectOf(of("customer", "12")), pathOf(of("customer", "12"))]).toEqual([
    "customer 12",
    "/admin/customers/12",
  ]);
  expect([subjectOf(of("vendor", "oak-farm", "Oak Farm")), pathOf(of("vendor", "oak-farm"))]).toEqual([
    "Oak Farm",
    null,
  ]);
  expect(subjectOf(of("content", ""))).toBe("content");
});

test("audit changes: before and after, lists of changes, and from and to are rows; what is the same is none", () => {
  expect(
    changesOf(
      entry("staff roles", {
        before: { roles: ["owner"], disabled: false },
        after: { roles: ["editor", "auditor"], disabled: false },
      }),
    ),
  ).toEqual([{ field: "Roles", before: "owner", after: "editor, auditor" }]);
  expect(changesOf(entry("short count", { before: null, after: { came: 9, of: 12 } }))).toEqual([
    { field: "Came", before: "—", after: "9" },
    { field: "Ordered", before: "—", after: "12" },
  ]);
  expect(changesOf(entry("products set", { values: [{ field: "priceCents", before: 700, after: 750 }] }))).toEqual([
    { field: "Price cents", before: "$7.00", after: "$7.50" },
  ]);
  expect(changesOf(entry("orders move", { from: "2026-11-26", to: "2026-12-03" }))).toEqual([
    { field: "To", before: "2026-11-26", after: "2026-12-03" },
  ]);
  expect(changesOf(entry("orders refund", { amountCents: 420, to: "card" }))).toEqual([]);
});

test("audit details: amounts are dollars, orders are grouped, long lists are counted, and links of rows are left out", () => {
  const vendors = Array.from({ length: 22 }, (_, n) => `farm-${n}`);
  expect(
    detailsOf(
      entry("x", { actionId: 3, amountCents: 420, orderIds: [397120862], bearer: "market", vendors, joins: null }),
    ),
  ).toEqual([
    { field: "Amount", value: "$4.20" },
    { field: "Orders", value: "397\u00A0120\u00A0862" },
    { field: "Paid by", value: "the market" },
    { field: "Vendors", value: `${vendors.slice(0, 20).join(", ")}, and 2 more` },
  ]);
});

test("audit words: a refused API key names its person, and who signs themselves out keeps one browser", () => {
  const ofPerson = (action: string, data: AuditEntry["data"], email: string) =>
    phraseOf(entry(action, data, { subject: { kind: "staff", id: email, name: "Ada" } }));
  expect([
    ofPerson("staff api-key refused", { name: "Export" }, "ada@example.com"),
    ofPerson("staff sessions end", { sessions: 2 }, "ada@example.com"),
    ofPerson("staff sessions end", { sessions: 2 }, "ben@example.com"),
  ]).toEqual([
    "sent the API key “Export” of Ada, which doesn’t work any more",
    "signed Ada out of every other browser",
    "signed Ada out of every browser",
  ]);
});

test("audit details: permissions are words, and an instant is a time of the device", () => {
  const expiresAt = "2031-11-28T18:00:00.000Z";
  expect(
    detailsOf(entry("staff api-key add", { permissions: ["orders.read", "audit.read", "gone.read"], expiresAt })),
  ).toEqual([
    { field: "What it may do", value: "see orders, read the audit log, gone.read" },
    { field: "Works until", value: instant(new Date(expiresAt)) },
  ]);
});
