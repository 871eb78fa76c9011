import { addMs, Minute } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createAddress, createCustomer, createHub, setCard } from "../../../test/factories.ts";
import { asCustomerId } from "../identity/context.ts";
import { deleteAccount } from "./delete-account.ts";
import { customerNamed, findCustomers } from "./find-customers.ts";

const { db, deps, clock } = await buildTestApp();
const hub = await createHub(db);
let minutes = 0;
const create = async (data: { email: string; first_name: string; phone?: string }) => {
  const { id } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  minutes += 1;
  const created_at = addMs(clock.now(), minutes * Minute.ms);
  return db.customer.update({ where: { id }, data: { last_name: "Found", ...data, created_at } });
};
const find = async (text: string, most = 20) => (await findCustomers(db, text, most)).map(({ id }) => id);

test("customers find: by a part of email or name and by seven digits of a phone, the newest first, as many as fit", async () => {
  const rosa = await create({ email: "rosa_l@rosa.example", first_name: "Rosalind", phone: "(317) 555-0142" });
  const other = await create({ email: "rosaxl@rosa.example", first_name: "Rosa%", phone: "(812) 555-0199" });
  expect(await find("ROSALIND found")).toEqual([rosa.id]);
  expect(await find("rosa.example")).toEqual([other.id, rosa.id]);
  expect(await find("rosa.example", 1)).toEqual([other.id]);
  // A percent sign and an underscore are themselves.
  expect([await find("rosa_l"), await find("rosa%")]).toEqual([[rosa.id], [other.id]]);
  expect([await find("555-0142"), await find("0142")]).toEqual([[rosa.id], []]);
  expect(await find(String(rosa.id))).toContain(rosa.id);
});

test("customers find: shows the default address and the default card alone", async () => {
  const { id } = await create({ email: "card@oak.example", first_name: "Carl" });
  const shown = async () => {
    const [row] = await findCustomers(db, "card@oak.example", 5);
    return [row!.receives, row!.card];
  };
  const address = { customer_id: id, address: "1 Old Road", city: "Carmel", state: "IN", zip_code: "46032" };
  await db.address.create({ data: { ...address, is_default: false } });
  expect(await shown()).toEqual([null, null]);
  await createAddress(db, id);
  await setCard(db, id);
  expect(await shown()).toEqual([expect.stringContaining("delivery: 12 Main Street, Carmel"), "visa 4242"]);
  await db.payment_method.updateMany({ where: { customer_id: id }, data: { deleted_at: clock.now() } });
  expect((await shown())[1]).toBeNull();
});

test("customers: a deleted account is found by its id alone; an email is found in capitals, an unknown one is 404", async () => {
  const { id } = await create({ email: "gone@oak.example", first_name: "Gone" });
  expect(await customerNamed(db, "GONE@oak.example")).toEqual({ id, email: "gone@oak.example" });
  const operator = { deps, now: clock.now(), actor: { type: "operator", name: "ada" } as const };
  await deleteAccount(operator, asCustomerId(id), "by request");
  expect(await find("gone@oak.example")).toEqual([]);
  expect(await find(String(id))).toContain(id);
  expect(await customerNamed(db, String(id))).toEqual({ id, email: null });
  await expect(customerNamed(db, "gone@oak.example")).rejects.toMatchObject({ status: 404 });
});
