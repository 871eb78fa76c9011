import { type Db, transaction, type Tx } from "@marketday/db";
import type { Role } from "@marketday/domain/staff";
import { addMs, Day } from "@marketday/domain/time";
import { asStaffId } from "@marketday/server/modules/identity/context";
import { createLink } from "@marketday/server/modules/staff/link-store";
import { lockStaff } from "@marketday/server/modules/staff/staff-sql";

/** The demo's owner. A passkey cannot be made in advance, and a known password would be a default account. */
export interface DemoOwner {
  name: string;
  email: string;
  /** The token of a new invitation link; null once the owner has set up a sign-in. */
  token: string | null;
}

const OWNER = "ada@little-wagon.example";

/** `state`: an invitation that is open or has expired, or access that has ended. */
interface DemoPerson {
  name: string;
  email: string;
  roles: readonly { role: Role; hub: string | null }[];
  state: "owner" | "invited" | "expired" | "disabled";
}
const people: readonly DemoPerson[] = [
  { name: "Ada Kowalski", email: OWNER, roles: [{ role: "owner", hub: null }], state: "owner" },
  {
    name: "Marcus Bell",
    email: "marcus@little-wagon.example",
    roles: [{ role: "manager", hub: null }],
    state: "invited",
  },
  {
    name: "Priya Raman",
    email: "priya@little-wagon.example",
    roles: [{ role: "hub_lead", hub: "carmel" }],
    state: "invited",
  },
  {
    name: "Helen Ostrander",
    email: "helen@little-wagon.example",
    roles: [
      { role: "bookkeeper", hub: null },
      { role: "auditor", hub: null },
    ],
    state: "expired",
  },
  {
    name: "Dale Norris",
    email: "dale@little-wagon.example",
    roles: [{ role: "support", hub: null }],
    state: "disabled",
  },
];

async function insertPeople(tx: Tx, now: Date): Promise<void> {
  const hubs = await tx.hub.findMany({ select: { id: true, slug: true } });
  for (const { name, email, roles, state } of people) {
    const grants = roles.flatMap(({ role, hub }) => {
      const found = hubs.find(({ slug }) => slug === hub);
      return hub !== null && !found ? [] : [{ role, hub_id: found?.id ?? null }];
    });
    const { id } = await tx.staff.create({
      data: {
        name,
        email,
        created_at: addMs(now, -30 * Day.ms),
        disabled_at: state === "disabled" ? addMs(now, -3 * Day.ms) : null,
        grants: { create: grants },
      },
      select: { id: true },
    });
    // No one receives these links: `./market staff reset` prints new ones.
    if (state === "invited") await createLink(tx, { staffId: asStaffId(id), purpose: "invite", now });
  }
}

/**
 * Adds people to the staff of a demo market that has none, and makes a new invitation link for its owner until they have set up a
 * sign-in. No link is mailed.
 * @returns the demo's owner; null when this market is no demo, or the demo's owner is not one of its owners
 */
export const openDemoStaff = (db: Db, now: Date): Promise<DemoOwner | null> =>
  transaction(db, async (tx) => {
    if (!(await tx.market_fact.findUnique({ where: { key: "demo_filled" }, select: { key: true } }))) return null;
    await lockStaff(tx);
    if ((await tx.staff.count()) === 0) await insertPeople(tx, now);
    const owner = await tx.staff.findUnique({
      where: { email: OWNER, disabled_at: null, grants: { some: { role: "owner" } } },
      select: { id: true, name: true, email: true, password_hash: true, _count: { select: { passkeys: true } } },
    });
    if (!owner) return null;
    const { id, name, email } = owner;
    const isSetUp = owner.password_hash !== null || owner._count.passkeys > 0;
    const token = isSetUp ? null : await createLink(tx, { staffId: asStaffId(id), purpose: "invite", now });
    return { name, email, token };
  });
