import type { Me } from "@marketday/contracts/admin/session";

import { getItem, removeItem, setItem } from "../../lib/storage.ts";

const KEPT = "known-person";

/** The last person who signed in on this device. */
export interface KnownPerson {
  name: string;
  email: string;
  /** When they first did, ISO. */
  since: string;
}

export const knownPerson = (): KnownPerson | null => getItem<KnownPerson>("local", KEPT);

/** Keeps who signed in; their first time stays. */
export function rememberPerson({ name, email }: Pick<Me, "name" | "email">, now: Date): void {
  const known = knownPerson();
  const since = known?.email === email ? known.since : now.toISOString();
  setItem("local", KEPT, { name, email, since } satisfies KnownPerson);
}

export const forgetPerson = (): void => removeItem("local", KEPT);
