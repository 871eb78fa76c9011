import { beforeEach, describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct, setCard } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runWeek } from "../../jobs/week.ts";
import { ImportRefused, problemText } from "../../lib/file-problem.ts";
import type { Context } from "../identity/context.ts";
import { exportHubs } from "./export-hubs.ts";
import { importHubs } from "./import-hubs.ts";

const market = await buildTestApp();
const { db, deps } = market;
beforeEach(() => market.clock.set(MONDAY));
const context = (): Context => ({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });
const CUTOFF = "2026-11-25T06:00:00Z";

interface Point {
  id?: number;
  name: string;
  hours: string;
  active: boolean;
}
interface Feature {
  properties: { slug: string; name: string; pickupPoints: Point[] };
}

/** A hub with two pickup points, and shoppers who order eggs at the first. */
async function pickupHub() {
  const hub = await createHub(db, { pickupPoints: 2 });
  const eggs = await createProduct(db, hub.id, { inventory: 20 });
  const { deliveryAddress: _address, ...choice } = CHOICE;
  const buy = async (who: Awaited<ReturnType<typeof signIn>>, pickupPointId = hub.pickup_points[0]!.id) => {
    await who.put("/cart", [eggs.line(1)]);
    const pickup = { ...choice, type: "pickup", pickupPointId };
    const { orderTotal } = (await who.post("/checkout/quote", pickup)).body;
    const placed = await who.post("/checkout", { ...pickup, expectedTotal: orderTotal });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    market.clock.advance(1000);
    return placed.body.orderId as number;
  };
  const shopper = async () => {
    const who = await signIn(market, { hubId: hub.id });
    await setCard(db, who.customer.id);
    return who;
  };
  const feature = async () =>
    (await exportHubs({ deps })).features.find((each) => (each as Feature).properties.slug === hub.slug) as Feature;
  /** Imports the hub with its points changed. */
  const change = async (
    edit: (points: Point[]) => Point[],
    { dryRun = false, names = false, closing = false, keepGoing = false } = {},
  ) => {
    const given = await feature();
    const properties = { ...given.properties, pickupPoints: edit(structuredClone(given.properties.pickupPoints)) };
    const file = {
      name: "hubs.geojson",
      features: [{ ...given, properties }],
      crs: null,
      placeOf: () => ({ line: 1, position: null }),
    };
    const how = { dryRun, keepGoing, isOutsideFine: true, acceptPoints: { names, closing }, accepted: null };
    try {
      const { hubs, fields } = await importHubs(context(), file, { ...how, signal: new AbortController().signal });
      return { hub: hubs[0]!, changes: fields.changes, problems: [] };
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error;
      return { hub: null, changes: [], problems: error.problems.map((problem) => problemText(problem)) };
    }
  };
  const points = () => db.pickup_point.findMany({ where: { hub_id: hub.id }, orderBy: { id: "asc" } });
  const mails = () =>
    db.mail.findMany({ where: { template: "pickup-point-changed" }, select: { to_email: true, data: true } });
  return { hub, buy, shopper, change, points, mails, feature };
}
const renamed =
  (name: string, more: Partial<Point> = {}) =>
  ([first, ...others]: Point[]): Point[] => [{ ...first!, name, ...more }, ...others];
beforeEach(() => db.mail.deleteMany());

describe("a pickup point that is renamed by its id", () => {
  test("is one place with three boxes, and an add-on there joins its box", async () => {
    const { hub, buy, shopper, change, points, mails } = await pickupHub();
    const [ada, ben, cleo] = [await shopper(), await shopper(), await shopper()];
    const first = await buy(ada);
    await buy(ben);
    const [before] = await points();
    const dry = await change(renamed("Depot Barn (rear door)"), { dryRun: true });
    const expected = {
      is: "changed",
      points: [{ name: "Depot Barn (rear door)", renamedFrom: before!.name, boxes: 2, mails: 2 }],
    };
    expect(dry.hub).toMatchObject(expected);
    expect([await points(), await mails()]).toEqual([expect.arrayContaining([before]), []]);
    expect((await change(renamed("Depot Barn (rear door)"))).hub).toMatchObject(expected);
    expect(await points()).toMatchObject([
      { id: before!.id, name: "Depot Barn (rear door)", is_active: true },
      { is_active: true },
    ]);
    await buy(cleo);
    const addOn = await buy(ada);
    expect(await db.order.findUniqueOrThrow({ where: { id: addOn } })).toMatchObject({ add_on_to_id: first });
    const { hub: again } = await change((all) => all);
    expect(again).toMatchObject({ is: "as it was", points: [] });
    expect(new Set((await mails()).map(({ to_email: to }) => to))).toEqual(
      new Set([ada.customer.email, ben.customer.email]),
    );

    market.clock.set(CUTOFF);
    await runWeek(context());
    const boxes = await db.snapshot_box.findMany({ where: { snapshot: { hub_id: hub.id } } });
    expect(boxes.map(({ pickup }) => (pickup as { name: string }).name)).toEqual(
      Array.from({ length: 3 }, () => "Depot Barn (rear door)"),
    );
    expect(await market.audit()).toEqual([]);
  });

  test("without its name keeps it, and with another name keeps the values that the file leaves out", async () => {
    const { change, points } = await pickupHub();
    const [first, second] = await points();
    const edit = ([one, two]: Point[]) =>
      [
        { id: one!.id, hours: "Thursday 5 to 8 PM" },
        { id: two!.id, name: "Mill", hours: null },
      ] as unknown as Point[];
    const before = await points();
    const lines = [{ field: `pickupPoints, ${first!.name}, hours`, before: first!.hours, after: "Thursday 5 to 8 PM" }];
    const expected = { is: "changed", points: [{ name: "Mill", renamedFrom: second!.name }] };
    const dry = await change(edit, { dryRun: true });
    expect([dry.hub, dry.changes]).toMatchObject([expected, lines]);
    expect(await points()).toEqual(before);
    const written = await change(edit);
    expect([written.hub, written.changes]).toMatchObject([expected, lines]);
    expect(await points()).toEqual([
      { ...first, hours: "Thursday 5 to 8 PM" },
      { ...second, name: "Mill" },
    ]);
  });

  test("other capitals alone change its name everywhere, without an email", async () => {
    const { buy, shopper, change, points, mails } = await pickupHub();
    await buy(await shopper());
    const [before] = await points();
    const { hub } = await change(renamed(before!.name.toUpperCase()));
    expect(hub!.points).toMatchObject([{ renamedFrom: before!.name, boxes: 1, mails: 0 }]);
    expect((await points()).map(({ name }) => name)[0]).toBe(before!.name.toUpperCase());
    expect(await mails()).toEqual([]);
  });

  test("two points may swap their names, and an id of another hub is refused", async () => {
    const { change, points } = await pickupHub();
    const [a, b] = await points();
    await change(([first, second]) => [
      { ...first!, name: second!.name },
      { ...second!, name: first!.name },
    ]);
    expect((await points()).map(({ name }) => name)).toEqual([b!.name, a!.name]);
    const foreign = await pickupHub();
    const [other] = await foreign.points();
    const { problems } = await change((all) => [...all, { ...all[0]!, id: other!.id, name: "Elsewhere" }]);
    expect(problems).toEqual([expect.stringContaining(`${other!.id} is no pickup point of this hub`)]);
    const twice = await change((all) => [...all, { ...all[0]!, name: "Elsewhere" }]);
    expect(twice.problems).toEqual([expect.stringContaining('"Elsewhere" is the same pickup point as')]);
  });
});

test("a changed address or changed hours: the customers with open orders there get one email for each change, others none", async () => {
  const { buy, shopper, change, points, mails } = await pickupHub();
  const [ada, ben] = [await shopper(), await shopper()];
  const [first, second] = await points();
  const box = await buy(ada);
  await buy(ada);
  await buy(ben, second!.id);
  const { hub, changes } = await change(renamed(first!.name, { hours: "Thursday 5 to 8 PM" }));
  expect(hub!.points).toEqual([{ name: first!.name, renamedFrom: null, boxes: 1, mails: 1 }]);
  expect(changes).toMatchObject([
    { field: `pickupPoints, ${first!.name}, hours`, before: first!.hours, after: "Thursday 5 to 8 PM" },
  ]);
  expect(await mails()).toMatchObject([
    {
      to_email: ada.customer.email,
      data: {
        orderId: box,
        days: ["2026-11-26"],
        before: { hours: first!.hours },
        after: { hours: "Thursday 5 to 8 PM" },
      },
    },
  ]);

  // A second change is another email.
  market.clock.advance(1000);
  await change(renamed(first!.name, { hours: "Thursday 6 to 8 PM" }));
  expect((await mails()).map(({ to_email: to, data }) => [to, data])).toEqual([
    [ada.customer.email, expect.objectContaining({ after: expect.objectContaining({ hours: "Thursday 5 to 8 PM" }) })],
    [ada.customer.email, expect.objectContaining({ after: expect.objectContaining({ hours: "Thursday 6 to 8 PM" }) })],
  ]);

  // So is one of each part of the address, on the day of the pickup too, also where the order could not be charged.
  await db.mail.deleteMany();
  await db.order.updateMany({ where: { customer_id: ada.customer.id }, data: { status: "pending" } });
  market.clock.set("2026-11-26T15:00:00Z");
  for (const part of [{ city: "Fishers" }, { state: "OH" }, { zipCode: "46038" }]) {
    market.clock.advance(1000);
    await change(([one, ...others]) => [{ ...one!, ...part }, ...others]);
  }
  expect((await mails()).map(({ to_email: to }) => to)).toEqual(Array.from({ length: 3 }, () => ada.customer.email));
  // After the day there is nothing to pick up.
  market.clock.set("2026-11-27T15:00:00Z");
  await change(renamed(first!.name, { hours: "Never" }));
  expect(await mails()).toHaveLength(3);
});

describe("a pickup point that would close", () => {
  test.each([
    ["left out", (all: Point[]) => all.slice(1), "because this list leaves it out. If it has another name now, write"],
    [
      "under another name without its id",
      ([{ id: _id, ...first }, ...all]: Point[] & [Point]) => [{ ...first, name: "Mill" }, ...all],
      "leaves it out",
    ],
    ["active: false", ([first, ...all]: Point[]) => [{ ...first!, active: false }, ...all], "which would close."],
  ])("%s: refused with how many orders still go there, and taken with --close-points", async (_how, edit, sentence) => {
    const { buy, shopper, change, points } = await pickupHub();
    const [first] = await points();
    await buy(await shopper());
    const box = await buy(await shopper());
    for (const dryRun of [true, false]) {
      const { problems } = await change(edit as (all: Point[]) => Point[], { dryRun });
      expect(problems).toEqual([
        expect.stringContaining(`2 open orders still go to "${first!.name}", which would close`),
      ]);
      expect(problems[0]).toContain(sentence);
    }
    expect((await points())[0]).toEqual(first);
    const { hub, changes } = await change(edit as (all: Point[]) => Point[], { closing: true });
    expect(hub!.points).toMatchObject([{ name: first!.name, boxes: 2 }]);
    expect(changes).toContainEqual(
      expect.objectContaining({ field: `pickupPoints, ${first!.name}, active`, before: "true", after: "false" }),
    );
    expect((await points())[0]).toMatchObject({ is_active: false });
    expect(await db.order.findUniqueOrThrow({ where: { id: box } })).toMatchObject({ pickup_point_id: first!.id });
  });

  test("closes when no order goes there any more", async () => {
    const { buy, shopper, change, points } = await pickupHub();
    await buy(await shopper());
    await db.order.updateMany({ data: { status: "cancelled" } });
    expect((await change((all) => all.slice(1))).problems).toEqual([]);
    expect((await points())[0]).toMatchObject({ is_active: false });
  });
});

test("a name that is nearly another point's, or a spreadsheet's, is refused", async () => {
  const { change, points } = await pickupHub();
  const [first] = await points();
  const near = first!.name.toUpperCase().replaceAll(" ", "-");
  const added = (name: string) => (all: Point[]) => {
    const { id: _id, ...point } = all[0]!;
    return [...all, { ...point, name }];
  };
  expect((await change(added(near))).problems).toEqual([
    expect.stringContaining(
      `"${near}" is nearly the same name: there is a pickup point "${first!.name}" already. Did you mean ${first!.name}? To rename it, write "id": ${first!.id} beside the new name.`,
    ),
  ]);
  expect((await change(added("2-Jan"))).problems).toEqual([
    expect.stringContaining('"2-Jan" looks like a date that a spreadsheet made; was it 1/2?'),
  ]);
  expect((await change(added("2-Jan"), { names: true })).problems).toEqual([]);
  expect((await change((all) => all)).hub).toMatchObject({ is: "as it was" });
});

test("a pickup point where customers receive automatic orders alone is closed only on purpose, and their number is named", async () => {
  const { buy, shopper, change, points } = await pickupHub();
  const [first] = await points();
  const automatic = async () => {
    const who = await shopper();
    await who.put("/account/profile", { pickupPointId: first!.id });
    await who.put("/subscriptions/status", { enabled: true, status: 1 });
    return who;
  };
  const closed = ([one, two]: Point[]): Point[] => [{ ...one!, active: false }, two!];
  const ada = await automatic();
  const by = await shopper();
  await by.put("/account/profile", { pickupPointId: first!.id });
  // One who has moved to another hub since receives none here.
  const moved = await automatic();
  const elsewhere = await createHub(db, { pickupPoints: 0 });
  await db.customer.update({ where: { id: moved.customer.id }, data: { hub_id: elsewhere.id } });
  expect((await change(closed)).problems).toEqual([
    expect.stringMatching(
      /1 customer receives automatic orders at "[^"]+", which would close\. To close it all the same, --close-points: automatic orders wait until their customers choose another place/,
    ),
  ]);
  await automatic();
  await buy(ada);
  for (const dryRun of [true, false])
    expect((await change(([, two]) => [two!], { dryRun })).problems).toEqual([
      expect.stringMatching(
        /^[^"]*1 open order still goes to "[^"]+", and 2 customers receive automatic orders there, which would close because this list leaves it out\./,
      ),
    ]);
  expect(await points()).toMatchObject([{ is_active: true }, { is_active: true }]);
  expect((await change(closed, { closing: true })).problems).toEqual([]);
  expect(await points()).toMatchObject([{ is_active: false }, { is_active: true }]);
  expect((await ada.get("/account/profile")).body.fulfillment.problem).toMatchObject({ message: expect.any(String) });
});
