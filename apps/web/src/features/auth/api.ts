import type { Customer } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";

import { call } from "../../lib/api.ts";
import { pushEvent } from "../../lib/data-layer.ts";
import { keptOrigin } from "../../navigation/entry-params.ts";
import type { RegisterValues } from "./register-rules.ts";

/** Opens an account's session; this browser's guest cart is merged into it. Throws ApiError, 401 when the two do not fit. */
export async function login(values: { email: string; password: string }): Promise<Customer> {
  const { playerId, os } = keptOrigin();
  const body = { username: values.email.trim(), password: values.password, playerId, os };
  const customer = await call(calls.login, { body });
  pushEvent("login", { method: "password" });
  return customer;
}

/** Turns the guest of this browser into a customer. Throws ApiError, 409 for a taken e-mail. */
export async function register(values: Omit<RegisterValues, "confirm">): Promise<Customer> {
  const body = {
    email: values.email.trim(),
    password: values.password,
    zipCode: values.zipCode,
    firstName: values.firstName.trim(),
    lastName: values.lastName.trim(),
    ...keptOrigin(),
  };
  const customer = await call(calls.register, { body });
  pushEvent("sign_up", { method: "password" });
  return customer;
}

/** The zip at a point. */
export async function zipAt(place: { lat: number; lng: number }): Promise<string> {
  return (await call(calls.zipAt, { querystring: place })).zipCode;
}
