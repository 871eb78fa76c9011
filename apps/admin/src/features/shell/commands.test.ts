import type { Me } from "@marketday/contracts/admin/session";
import type { Today } from "@marketday/contracts/admin/today";
import { expect, test } from "vitest";

import { type Command, findCommands, listCommands } from "./commands.ts";

const now = new Date("2026-11-25T19:40:00Z");
const zone = "America/Indiana/Indianapolis";
const carmel = { id: 1, slug: "carmel", name: "Carmel", timeZone: zone };
const madison = { id: 2, slug: "madison", name: "Madison", timeZone: zone };

const me = (permissions: Me["permissions"]): Me => ({
  id: 7,
  name: "Ada Kowalski",
  email: "ada@example.com",
  roles: [],
  permissions,
  hubs: [
    { ...carmel, deliveryDay: "Thursday" },
    { ...madison, deliveryDay: "Tuesday" },
  ],
  sessionEndsAt: "2026-11-26T00:00:00Z",
  steppedUpUntil: null,
  passkeys: 1,
  recoveryCodesLeft: 10,
});

type Row = Today["rows"][number];
const row = (hub: Row["hub"], day: string, next: Partial<Row["next"]> = {}): Row => ({
  hub,
  day,
  boxes: 128,
  openOrders: 0,
  shorts: 0,
  steps: [],
  next: {
    kind: "nothing",
    count: null,
    amount: null,
    lateSince: null,
    dueAt: null,
    command: null,
    ...next,
  },
  pace: null,
});
const rows = [
  row(carmel, "2026-11-26", { kind: "create_sheets", command: "sheets carmel 2026-11-26" }),
  row(madison, "2026-12-01"),
];
const all = (permissions: Me["permissions"]) =>
  listCommands({ me: me(permissions), rows, now, areKeysOff: false }).map(({ id }) => id);
const everything = { "orders.read": "all", "day.run": "all", "staff.write": "all" } as const;
const find = (text: string) =>
  findCommands(listCommands({ me: me(everything), rows, now, areKeysOff: false }), text).map(({ id }) => id);

test("palette: an owner has every screen, day and market", () => {
  expect(all(everything)).toEqual(
    expect.arrayContaining([
      "today",
      "staff",
      "security",
      "day:carmel:2026-11-26",
      "day:madison:2026-12-01",
      "hub:carmel",
    ]),
  );
});

test("palette: without a permission there is neither its screen nor its action", () => {
  const editor = all({ "content.write": "all" });
  expect(editor).toContain("security");
  for (const id of ["today", "staff", "day:carmel:2026-11-26", "next:carmel:2026-11-26"])
    expect(editor).not.toContain(id);
});

test("palette: a hub lead has the days of their market, and no staff", () => {
  const lead = all({ "orders.read": [2], "day.run": [2] });
  expect(lead).toContain("day:madison:2026-12-01");
  expect(lead).not.toContain("day:carmel:2026-11-26");
  expect(lead).not.toContain("staff");
});

test("palette: who reads orders and runs no days gets to the boxes of a day, and not to its sheets", () => {
  const commands = listCommands({ me: me({ "orders.read": [1] }), rows: rows.slice(0, 1), now, areKeysOff: false });
  expect(commands.find(({ id }) => id === "day:carmel:2026-11-26")?.does).toEqual({
    to: "/admin/days/carmel/2026-11-26/boxes",
  });
  expect(commands.find(({ id }) => id === "next:carmel:2026-11-26")?.does).toEqual({ to: "/admin" });
});

test.each([
  ["settle_shorts", "Settle shorts, Carmel, Thursday", "/admin/days/carmel/2026-11-26/shorts"],
  ["collect_at_door", "Collect at the door, Carmel, Thursday", "/admin/days/carmel/2026-11-26/door"],
] as const)("palette: %s leads to its screen", (kind, title, to) => {
  const permissions = { "orders.read": "all", "orders.adjust": "all" } as const;
  const due = row(carmel, "2026-11-26", { kind, command: "short carmel" });
  const commands = listCommands({ me: me(permissions), rows: [due], now, areKeysOff: false });
  expect(commands.find(({ id }) => id === "next:carmel:2026-11-26")).toMatchObject({ title, does: { to } });
});

test("palette: an action has the command that does the same, and a day with nothing to do has none", () => {
  const commands = listCommands({ me: me(everything), rows, now, areKeysOff: false });
  const action = commands.find(({ id }) => id === "next:carmel:2026-11-26");
  expect(action).toMatchObject({
    title: "Create sheets, Carmel, Thursday",
    command: "sheets carmel 2026-11-26",
    does: { to: "/admin/days/carmel/2026-11-26" },
  } satisfies Partial<Command>);
  expect(commands.map(({ id }) => id)).not.toContain("next:madison:2026-12-01");
});

test("palette: what no screen does yet leads to Today, whose row has its command", () => {
  const late = row(carmel, "2026-11-26", { kind: "run_late_step", command: "jobs run" });
  const commands = listCommands({ me: me(everything), rows: [late], now, areKeysOff: false });
  expect(commands.find(({ id }) => id === "next:carmel:2026-11-26")).toMatchObject({
    title: "Run the late step, Carmel, Thursday",
    command: "jobs run",
    does: { to: "/admin" },
  } satisfies Partial<Command>);
});

test.each([
  ["boxes that are to be delivered", "deliver", "/admin/days/carmel/2026-11-26/boxes"],
  ["declined cards", "retry_charges", "/admin/days/carmel/2026-11-26/boxes?show=declined"],
] as const)("palette: %s are on the screen of the boxes", (_, kind, to) => {
  const due = row(carmel, "2026-11-26", { kind, command: "orders list" });
  const may = { ...everything, "orders.adjust": "all", "orders.refund": "all" } as const;
  const commands = listCommands({ me: me(may), rows: [due], now, areKeysOff: false });
  expect(commands.find(({ id }) => id === "next:carmel:2026-11-26")).toMatchObject({ does: { to } });
});

test.each([
  ["who pays in every market gets to the payouts, up to that day", "all", "/admin/payouts?to=2026-11-26"],
  ["who pays in one market stays on Today: a payout is about all of them", [1], "/admin"],
] as const)("palette: %s", (_, where, to) => {
  const unpaid = row(carmel, "2026-11-26", { kind: "pay_vendors", command: "ledger payouts --to 2026-11-26" });
  const permissions = { "orders.read": "all", "payouts.write": where === "all" ? where : [...where] } as const;
  const commands = listCommands({ me: me(permissions), rows: [unpaid], now, areKeysOff: false });
  expect(commands.find(({ id }) => id === "next:carmel:2026-11-26")).toMatchObject({
    title: "Pay the vendors, Carmel, Thursday",
    command: "ledger payouts --to 2026-11-26",
    does: { to },
  } satisfies Partial<Command>);
});

test("palette: the payouts are there for who sees the money of every market, and not of one", () => {
  expect(all({ "money.read": "all" })).toContain("payouts");
  expect(all({ "money.read": [1] })).not.toContain("payouts");
});

test("palette: what begins with the text comes before what contains it, and every word must fit", () => {
  expect(find("carmel")[0]).toBe("day:carmel:2026-11-26");
  expect(find("create carmel")).toEqual(["next:carmel:2026-11-26"]);
  expect(find("carmel madison")).toEqual([]);
});

test("palette: letter case, accents and words that are not in the title find as well", () => {
  expect(find("TEAM")).toEqual(["staff"]);
  expect(find("sécurity")[0]).toBe("security");
  expect(find("log out")).toEqual(["sign-out"]);
  expect(find("staff list")[0]).toBe("staff");
});

test("palette: without a text everything is listed in its order", () => {
  expect(find("  ")[0]).toBe("today");
  expect(find("")).toHaveLength(listCommands({ me: me(everything), rows, now, areKeysOff: false }).length);
});
