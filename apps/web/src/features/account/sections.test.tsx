import type { Customer } from "@marketday/contracts/account";
import { toastStore } from "@marketday/ui/toast-store.ts";
import { expect, test, vi } from "vitest";

import { elementsOf, newClient, propsOf, run, textOf, setUpHooks } from "../../../test/open-hook.tsx";
import { DetailsSection } from "./details-section.tsx";
import FulfillmentSection from "./fulfillment-section.tsx";
import MyDataModal from "./my-data-modal.tsx";
import { PasswordSection } from "./password-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";

const page = setUpHooks();
const profile = {
  customerId: 1,
  hubId: 4,
  isGuest: false,
  handle: "Ada Brown",
  firstName: "Ada",
  lastName: "Brown",
  email: "ada@example.com",
  phone: null,
  zipCode: "46032",
  isGlutenFree: false,
  isVegan: false,
  subscribedAllMessages: true,
  subscribedMarketingEmails: false,
  subscribedMarketingSms: false,
  isWagonPassActive: false,
  credit: 0,
  paymentInfo: null,
  fulfillment: null,
  deliveryAddress: null,
} as unknown as Customer;
const member = () => newClient({ customerId: 1, hubId: 4 });
const byId = (shown: unknown, id: string) => propsOf(shown, (props) => props["id"] === id);
const typeInto = (shown: unknown, id: string, value: string) =>
  run(() => propsOf(byId(shown, id).children, (props) => "onChange" in props).onChange({ target: { value } }));
const save = (shown: unknown) => propsOf(shown, ({ children }) => children === "Save");

test("my details: saved once something changed and all is valid; another email needs the password, which is sent once", async () => {
  const section = page.open(() => DetailsSection({ profile, title: null, children: null }), member());
  expect(save(section.now())).toBeUndefined();
  await typeInto(section.now(), "details-firstName", "");
  expect(save(section.now())).toBeUndefined();
  await typeInto(section.now(), "details-firstName", "Ada");
  await typeInto(section.now(), "details-email", "new@example.com");
  expect(save(section.now())).toBeUndefined();
  await typeInto(section.now(), "details-current-password", "wrong");
  page.refuse("PUT /account/profile", 409, "That isn't your password.", { field: "currentPassword" });
  await run(() => save(section.now()).onClick());
  expect(byId(section.now(), "details-current-password").error).toBe("That isn't your password.");
  expect(propsOf(byId(section.now(), "details-email").children, (props) => "onChange" in props).value).toBe(
    "new@example.com",
  );
  page.answer("PUT /account/profile", { body: { ...profile, email: "new@example.com" } });
  await typeInto(section.now(), "details-current-password", "secret");
  await run(() => save(section.now()).onClick());
  expect(page.sent.map(({ body }) => body)).toEqual([
    { email: "new@example.com", currentPassword: "wrong" },
    { email: "new@example.com", currentPassword: "secret" },
  ]);
  expect(toastStore.current()).toHaveLength(1);
});

test("password: nothing is sent before both are whole and equal; a refusal keeps what was typed", async () => {
  const section = page.open(PasswordSection, member());
  const submit = () => run(() => propsOf(section.now(), (props) => "onSubmit" in props).onSubmit());
  const current = () => propsOf(section.now(), (props) => props["autoComplete"] === "current-password");
  const twice = () =>
    propsOf(section.now(), ({ value }) => typeof value === "object" && value !== null && "confirm" in value);
  await run(() => twice().onChange({ password: "sixsix", confirm: "sixsix" }));
  await submit();
  await run(() => current().onChange({ target: { value: "old" } }));
  await run(() => twice().onChange({ confirm: "sixsiy" }));
  await submit();
  expect(page.sent).toEqual([]);
  await run(() => twice().onChange({ confirm: "sixsix" }));
  page.refuse("POST /auth/update", 409, "That isn't your password.");
  await submit();
  expect([current().value, textOf(section.now())]).toEqual([
    "old",
    expect.stringContaining("That isn't your password."),
  ]);
  page.answer("POST /auth/update", { body: {} });
  await submit();
  expect(page.sent.at(-1)?.body).toEqual({ oldPassword: "old", newPassword: "sixsix" });
  expect([current().value, twice().value.password]).toEqual(["", ""]);
});

test("sessions: four are shown, then all; only others are logged out, each by its own id, and the answer is the list", async () => {
  const client = member();
  const session = (id: number) => ({
    id: `s${id}`,
    device: `Device ${id}`,
    lastSeenAt: "2026-11-01T00:00:00Z",
    isCurrent: id === 1,
  });
  const all = [1, 2, 3, 4, 5].map(session);
  page.answer("GET /account/sessions", { body: all });
  page.answer("DELETE /account/sessions/s3", { body: all.filter(({ id }) => id !== "s3") });
  const section = page.open(SessionsSection, client);
  await run(() => undefined);
  const devices = () => [...elementsOf(section.now())].filter(({ type }) => type === "li").length;
  const button = (label: string) => propsOf(section.now(), (props) => props["aria-label"] === label);
  expect([devices(), button("Log out Device 1")]).toEqual([4, undefined]);
  await run(() => button("Log out Device 3").onClick());
  expect(page.sent.at(-1)?.call).toBe("DELETE /account/sessions/s3");
  expect([devices(), textOf(section.now()).includes("Show all")]).toEqual([4, false]);
  expect(textOf(section.now())).toContain("Log out everywhere else");
});

test("my account: without the password nothing is sent; a refused deletion leaves everything, also in this browser", async () => {
  const removed = vi.fn();
  vi.stubGlobal("location", { assign: removed });
  const client = newClient({ customerId: 1, hubId: 4 });
  client.setQueryData(["session"], { session: { customerId: 1, hubId: 4 }, profile: { ...profile, credit: 12.5 } });
  sessionStorage.setItem("marketday:kept", "1");
  const modal = page.open(() => MyDataModal({ modal: { kind: "my-data", what: "delete" }, onDone: vi.fn() }), client);
  const submit = () => run(() => propsOf(modal.now(), (props) => "onSubmit" in props).onSubmit());
  expect(propsOf(modal.now(), ({ tone }) => tone === "warning").title).toBe("You still have $12.50 of store credit");
  await submit();
  expect(page.sent).toEqual([]);
  page.refuse("DELETE /account", 409, "That isn't your password.");
  await run(() =>
    propsOf(modal.now(), ({ autoComplete }) => autoComplete === "current-password").onChange({
      target: { value: "x" },
    }),
  );
  await submit();
  expect([textOf(modal.now()), removed.mock.calls, sessionStorage.getItem("marketday:kept")]).toEqual([
    expect.stringContaining("That isn't your password."),
    [],
    "1",
  ]);
  page.answer("DELETE /account", { body: {} });
  await submit();
  expect(page.sent.at(-1)).toMatchObject({ call: "DELETE /account", body: { password: "x" } });
  expect([removed.mock.calls, sessionStorage.getItem("marketday:kept")]).toEqual([[["/"]], null]);
});

/** The form within the section, as it is rendered there. */
function openFulfillment(change: object) {
  const client = member();
  client.setQueryData(["hubs", 4], {
    id: 4,
    deliveryFee: 8.95,
    pickupPoints: [{ id: 3, name: "Depot", address: "", city: "", hours: "" }],
  });
  client.setQueryData(["zip-place", "46032"], { city: "Carmel", state: "IN" });
  const section = page.open(() => FulfillmentSection({ profile: { ...profile, ...change }, isOpen: true }), client);
  const fields = propsOf(section.now(), (props) => "onSaved" in props);
  const element = [...elementsOf(section.now())].find(({ props }) => "onSaved" in props);
  const Fields = element?.type as (props: unknown) => unknown;
  return page.open(() => Fields(fields), client);
}
const home = { address: "12 Oak St", address2: "", city: "Carmel", state: "IN", zipCode: "46032", instructions: "" };

test("where orders go: saved only when it changed and is whole, the address without a pickup point, the point without an address", async () => {
  const saved = {
    deliveryAddress: home,
    fulfillment: { type: "delivery", pickupPoint: null, deliveryAddress: home, deliveryFee: 8.95, problem: null },
  };
  page.answer("PUT /account/profile", { body: { ...profile, ...saved } });
  const form = openFulfillment(saved);
  const submit = () => run(() => propsOf(form.now(), (props) => "onSubmit" in props).onSubmit());
  const update = () => propsOf(form.now(), ({ type }) => type === "submit").disabled;
  const address = () => propsOf(form.now(), (props) => "problems" in props && "value" in props);
  expect(update()).toBe(true);
  await submit();
  await run(() => address().onChange({ address: " 12 Oak St " }));
  expect(update()).toBe(true);
  await run(() => address().onChange({ address: "" }));
  expect(update()).toBe(true);
  await submit();
  expect(page.sent).toEqual([]);
  await run(() => address().onChange({ address: "14 Oak St" }));
  await submit();
  expect(page.sent.at(-1)?.body).toEqual({ deliveryAddress: { ...home, address: "14 Oak St" }, pickupPointId: null });
});
