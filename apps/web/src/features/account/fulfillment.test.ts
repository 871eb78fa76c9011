import type { Customer } from "@marketday/contracts/account";
import { expect, test } from "vitest";

import { newClient, run, setUpHooks } from "../../../test/open-hook.tsx";
import { useZipCheck } from "../auth/use-zip-check.ts";
import { sessionKeys, type SessionData } from "../session/api.ts";
import { useChangeProfile } from "./api.ts";
import { formatCard, formatFee, formatPlace, formatPlaceNote } from "./fulfillment.ts";
import { knownZip } from "./known-zip.ts";
import { useZipPlace } from "./zip-place.ts";

const page = setUpHooks();
const home = {
  address: "12 Oak St",
  address2: "",
  city: "Carmel",
  state: "IN" as const,
  zipCode: "46032",
  instructions: "Side door",
};
const depot = { id: 3, name: "Depot Barn", address: "1 Rail Rd", city: "Westfield", hours: "3 to 7 PM" } as never;

test("a place to receive orders: a pickup point before the address, each with what one has to know", () => {
  expect([
    formatPlace({ pickupPoint: null, deliveryAddress: home }),
    formatPlaceNote({ pickupPoint: null, deliveryAddress: home }),
    formatPlace({ pickupPoint: depot, deliveryAddress: home }),
    formatPlaceNote({ pickupPoint: depot, deliveryAddress: home }),
    formatPlace({ pickupPoint: null, deliveryAddress: null }),
    formatPlaceNote({ pickupPoint: null, deliveryAddress: null }),
  ]).toEqual([
    "Home delivery to 12 Oak St, Carmel, IN 46032",
    "Side door",
    "Pickup at Depot Barn",
    "1 Rail Rd, Westfield · 3 to 7 PM",
    "Home delivery to your address",
    "",
  ]);
  expect([formatFee(0), formatFee(8.95), formatCard({ brand: "visa", last4: "4242" })]).toEqual([
    "Free",
    "$8.95 a box",
    "Visa ending in 4242",
  ]);
});

test("the ZIP code to begin with is the shopper's own, then their address's", () => {
  const zip = (zipCode: string | null, deliveryAddress: Customer["deliveryAddress"]) =>
    knownZip({ zipCode, deliveryAddress });
  expect([zip("60614", home as never), zip(null, home as never), zip(null, null), knownZip(null)]).toEqual([
    "60614",
    "46032",
    "",
    "",
  ]);
});

test.each([
  [{ firstName: "Ada" }, false],
  [{ pickupPointId: 3 }, true],
  [{ pickupPointId: null }, true],
])(
  "profile: changed by %j, the shopper is the answer; cart and subscriptions are read again: %s",
  async (body, isMoved) => {
    const client = newClient({ customerId: 1, hubId: 4 });
    client.setQueryData(["subscriptions", "boxes"], []);
    page.answer("PUT /account/profile", { body: { customerId: 1, hubId: 4, firstName: "After" } });
    const open = page.open(() => useChangeProfile(), client);
    await run(() => open.now()(body));
    expect(page.sent).toMatchObject([{ call: "PUT /account/profile", body }]);
    expect(client.getQueryData<SessionData>(sessionKeys.current)).toMatchObject({
      session: { customerId: 1 },
      profile: { firstName: "After" },
    });
    expect(client.getQueryState(["subscriptions", "boxes"])?.isInvalidated).toBe(isMoved);
  },
);

test("the place of a ZIP code: none for one that does not exist, unknown while it is typed or cannot be read", async () => {
  page.answer("GET /geo/zip/46032", { body: { city: "Carmel", state: "IN" } });
  page.refuse("GET /geo/zip/00000", 404, "No such ZIP code.");
  page.refuse("GET /geo/zip/46033", 503, "Busy.");
  for (const [zipCode, place] of [
    ["46032", { city: "Carmel", state: "IN" }],
    ["00000", null],
    ["46033", undefined],
    ["4603", undefined],
  ] as const) {
    const open = page.open(() => useZipPlace(zipCode));
    await run(() => undefined);
    expect(open.now()).toEqual(place);
  }
  expect(page.sent.map(({ call }) => call)).not.toContain("GET /geo/zip/4603");
});

test("registration: a ZIP code without a market is refused, one that could not be checked is left to the server", async () => {
  const call = (zip: string) => `GET /geo/home-delivery?zipCode=${zip}`;
  page.answer(call("46032"), { body: { homeDelivery: true } });
  page.refuse(call("99999"), 404, "No market.");
  page.refuse(call("46033"), 503, "Busy.");
  for (const [zipCode, state] of [
    ["4603", "incomplete"],
    ["46032", "supported"],
    ["99999", "unsupported"],
    ["46033", "unknown"],
  ] as const) {
    const open = page.open(() => useZipCheck(zipCode));
    await run(() => undefined);
    expect(open.now()).toBe(state);
  }
});
