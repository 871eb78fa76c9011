import type { Order } from "@marketday/contracts/orders";
import { expect, test } from "vitest";

import { calendarFile } from "./calendar-file.ts";

const order = {
  id: 123_456_789,
  type: "pickup",
  deliveryDate: "2026-12-31",
  deliveryAddress: null,
  pickupAddress: {
    name: "Depot; the old one",
    address: "2 Station Road",
    city: "Carmel",
    state: "IN",
    zipCode: "46032",
    hours: "4 to 7PM",
  },
  hub: { id: 1, name: "Carmel market" },
} as Order;
const about = { host: "market.example", marketName: "Little Wagon", now: new Date("2026-11-23T17:00:00.500Z") };

test("a calendar file is the whole delivery day, named by the order", () => {
  const lines = calendarFile(order, about).split("\r\n");
  expect(lines).toContain("DTSTART;VALUE=DATE:20261231");
  expect(lines).toContain("DTEND;VALUE=DATE:20270101");
  expect(lines).toContain("UID:order-123456789@market.example");
  expect(lines).toContain("DTSTAMP:20261123T170000Z");
  expect(lines).toContain("LOCATION:Depot\\; the old one\\, 2 Station Road\\, Carmel\\, IN 46032");
  expect(lines[0]).toBe("BEGIN:VCALENDAR");
  expect(lines.at(-1)).toBe("");
});

test("no line is longer than 75 bytes, and unfolding gives the text back", () => {
  const file = calendarFile(order, { ...about, marketName: "Märkte über Märkte ".repeat(8).trim() });
  for (const line of file.split("\r\n")) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  expect(file.replaceAll("\r\n ", "")).toContain(
    `SUMMARY:Pick up your market order · ${"Märkte über Märkte ".repeat(8).trim()}`,
  );
});

test("the calendar file of a home delivery names the address, and the order's page", () => {
  const deliveryAddress = { address: "12 Oak St", address2: "", city: "Carmel", state: "IN", zipCode: "46032" };
  const home = { ...order, type: "delivery", deliveryAddress, pickupAddress: null } as unknown as Order;
  const file = calendarFile(home, about).replaceAll("\r\n ", "");
  expect(file).toContain("SUMMARY:Your market order arrives · Little Wagon\r\n");
  expect(file).toMatch(/LOCATION:12 Oak St.*46032/);
  expect(file).toContain(
    "DESCRIPTION:Order #123456789\\, Carmel market\\nhttps://market.example/order-complete/123456789\r\n",
  );
  expect(calendarFile({ ...home, deliveryAddress: null }, about)).toContain("LOCATION:\r\n");
});
