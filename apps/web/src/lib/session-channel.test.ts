import * as calls from "@marketday/contracts/calls";
import { expect, test } from "vitest";

import { changesSession } from "./session-channel.ts";

test(
  "session: every call that changes who is here, their account, orders, subscriptions or cart is announced to the other tabs",
  { tags: ["fail:M8"] },
  () => {
    const announced = Object.entries(calls)
      .filter(([, route]) => changesSession(route))
      .map(([name]) => name);
    expect(announced.toSorted()).toEqual(
      [
        "buyWagonPass",
        "cancelWagonPass",
        "completeCheckout",
        "completePurchase",
        "createGuest",
        "deleteAccount",
        "editOrder",
        "login",
        "logout",
        "pauseSubscription",
        "placeOrder",
        "putCartDiscount",
        "putHubSwitch",
        "putProfile",
        "redeemGiftCard",
        "register",
        "resetPassword",
        "skipDelivery",
        "subscribe",
        "subscribeBundle",
        "unsubscribe",
        "unsubscribeBundle",
      ].toSorted(),
    );
  },
);

test("session: asking who delivers to a ZIP code changes nothing", () => {
  expect(changesSession(calls.createGuest, { zipCode: "46032", check: "true" })).toBe(false);
  expect(changesSession(calls.createGuest, { zipCode: "46032" })).toBe(true);
});
