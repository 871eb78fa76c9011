import { addMs, Day, Hour, Second } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createAddress, createCustomer, createHub, createProduct, setCard } from "../../../test/factories.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek } from "../../jobs/week.ts";

/** The UTC hour of 1 AM local daylight saving time, on the day of each cutoff below. Phoenix has no daylight saving time. */
const ZONES = [
  ["America/New_York", 5],
  ["America/Chicago", 6],
  ["America/Denver", 7],
  ["America/Phoenix", 8],
  ["America/Los_Angeles", 8],
  ["America/Anchorage", 9],
] as const;

test.each([
  // The clocks go back at 2 AM of that Sunday: the hour from 1 to 2 AM occurs twice.
  ["autumn", "2026-10-28T12:00:00Z", "Monday", "2026-11-02", "2026-11-01", "2026-10-30"],
  // The clocks go forward between the run and the cutoff: 37 hours of local time.
  ["spring", "2027-03-12T12:00:00Z", "Tuesday", "2027-03-16", "2027-03-15", "2027-03-13"],
  // The cutoff is an hour before the clocks go forward.
  ["spring, the Sunday itself", "2027-03-12T06:00:00Z", "Monday", "2027-03-15", "2027-03-14", "2027-03-12"],
] as const)(
  "week: when clocks change (%s), markets in six time zones are ordered and closed once, at their own instant",
  { tags: ["fail:C2", "fail:C3"] },
  async (_season, from, deliveryDay, day, cutoffDate, runDate) => {
    const isBeforeChange = cutoffDate === "2027-03-14";
    const market = await buildTestApp({ now: from });
    const { db, deps } = market;
    const tick = async (at: Date) => {
      market.clock.set(at);
      const ctx = { now: market.clock.now(), actor: { type: "system" as const, job: "test" }, deps };
      await runWeek(ctx);
      await runAutoCheckouts(ctx);
    };
    const markets: { hubId: number; dayId: number; auto: Date; cutoff: Date }[] = [];
    for (const [timeZone, summerHour] of ZONES) {
      const hour = isBeforeChange && timeZone !== "America/Phoenix" ? summerHour + 1 : summerHour;
      const hub = await createHub(db, { timeZone, deliveryDay, now: new Date(from) });
      await tick(new Date(from));
      const eggs = await createProduct(db, hub.id);
      const { id } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
      await createAddress(db, id);
      await setCard(db, id);
      await db.customer.update({ where: { id }, data: { auto_checkout_status: 1 } });
      const line = { variant_id: eggs.variant.id, quantity: 1, seen_price_cents: 650 };
      await db.cart.create({ data: { customer_id: id, items: { create: [line] } } });
      const instant = (date: string, localHour: number) => addMs(new Date(`${date}T00:00:00Z`), localHour * Hour.ms);
      markets.push({
        hubId: hub.id,
        dayId: hub.deliveries.find((delivery) => delivery.day.toISOString().startsWith(day))!.id,
        auto: instant(runDate, hour + 12),
        cutoff: instant(cutoffDate, hour),
      });
    }
    /** The states of each market's orders, which are all of the same day. */
    const statusesOf = async () => {
      const orders = await db.order.findMany({ select: { hub_id: true, delivery_id: true, status: true } });
      return markets.map(({ hubId, dayId }) =>
        orders
          .filter(({ hub_id }) => hub_id === hubId)
          .map(({ delivery_id, status }) => (delivery_id === dayId ? status : "another day"))
          .join(),
      );
    };
    // Before the instant, at it, within the hour, when the same local hour occurs again, and after it.
    const round = (at: Date) => [-1, 0, 1800, 3600, 3660, 5400].map((seconds) => addMs(at, seconds * Second.ms));
    const instants = markets.flatMap(({ auto, cutoff }) => [...round(auto), ...round(cutoff)]);
    const timeline = [...new Set(instants.map((at) => at.getTime()))]
      .toSorted((a, b) => a - b)
      .map((at) => new Date(at));
    for (const at of timeline) {
      await tick(at);
      const expected = markets.map(({ cutoff, auto }) => (at < auto ? "" : at < cutoff ? "open" : "pending"));
      expect([at.toISOString(), await statusesOf()]).toEqual([at.toISOString(), expected]);
    }
    await tick(addMs(timeline.at(-1)!, Day.ms / 2));
    expect(await statusesOf()).toEqual(markets.map(() => "pending"));
    expect(await db.mail.count({ where: { template: "order-confirmation" } })).toBe(markets.length);
    const charges = await db.test_charge.findMany();
    expect(charges.map(({ state }) => state)).toEqual(markets.map(() => "captured"));
    for (const { dayId } of markets)
      for (const step of ["auto_checkout", "cutoff"])
        expect(
          await db.delivery_run.findUniqueOrThrow({ where: { delivery_id_step: { delivery_id: dayId, step } } }),
        ).toMatchObject({ state: "done" });
    expect(await market.audit()).toEqual([]);
  },
);
