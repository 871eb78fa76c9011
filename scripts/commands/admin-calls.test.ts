import { buildTestApp } from "@marketday/server/testing/app";
import { createHubNow } from "@marketday/server/testing/factories";
import { createStaff, staffOf } from "@marketday/server/testing/staff";
import { beforeEach, expect, test } from "vitest";

import { buildCommandLine } from "../lib/cli/command-line.ts";
import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;
const app = await buildTestApp({ url: market.url, now: new Date().toISOString() });
const hub = await createHubNow(db);
beforeEach(async () => {
  await db.staff.updateMany({ where: { disabled_at: null }, data: { disabled_at: new Date() } });
  await app.waitForNotifications();
});

type Owner = Awaited<ReturnType<typeof staffOf>>;
type Person = Awaited<ReturnType<typeof createStaff>>;
/** A case in which a command and its admin call are both refused. */
interface Refusal {
  when: string;
  /** The person of the staff who is changed. */
  prepare: (as: Owner) => Promise<Person>;
  /** The command's arguments after its name. */
  args: (person: Person) => string[];
  call: (as: Owner, person: Person) => Promise<{ status: number; body: unknown }>;
}

/** No hub and no person has this id. */
const NO_ID = 2_000_000;
const roles = (role: string, hubId: number | null = null) => [{ role, hubId }];
const someone = () => createStaff(app, "editor");
const invited = (change: object) => async (as: Owner) =>
  as.post("/staff", { email: "cal@example.com", name: "Cal", roles: roles("editor"), ...change });
const invite = (email: string, name: string, role: string) => [email, "--name", name, "--role", role];
const change =
  (action: "disable" | "reset") =>
  async (as: Owner, { id, version }: Person) =>
    as.post(`/staff/${id}/${action}`, { expectedVersion: version });
const putRoles =
  (granted: object[]) =>
  async (as: Owner, { id, version }: Person) =>
    as.put(`/staff/${id}/roles`, { expectedVersion: version, roles: granted });
const lastOwner = async (as: Owner) => {
  const { id } = as.person;
  const passkey = {
    name: "Phone",
    public_key: Buffer.from([1]),
    counter: 0n,
    is_synced: false,
    created_at: new Date(),
  };
  await db.staff_passkey.create({ data: { ...passkey, id: `passkey-${id}`, staff_id: id } });
  return as.person;
};
const missing = async () => ({ ...(await someone()), id: NO_ID });

/** Groups all of whose commands that write have an admin call. A group that gets its calls is added here. */
const GROUPS = new Set(["staff"]);

/** The commands of these groups, each with its refusals. */
const REFUSALS: Record<string, Refusal[]> = {
  "staff invite": [
    {
      when: "an address on the staff",
      prepare: someone,
      args: ({ email }) => invite(email, "Cal", "editor"),
      call: (as, { email }) => invited({ email })(as),
    },
    {
      when: "no address",
      prepare: someone,
      args: () => invite("cal", "Cal", "editor"),
      call: invited({ email: "cal" }),
    },
    {
      when: "no name",
      prepare: someone,
      args: () => invite("cal@example.com", " ", "editor"),
      call: invited({ name: " " }),
    },
    {
      when: "an owner of one hub",
      prepare: someone,
      args: () => invite("cal@example.com", "Cal", `owner:${hub.slug}`),
      call: invited({ roles: roles("owner", hub.id) }),
    },
    {
      when: "an unknown hub",
      prepare: someone,
      args: () => invite("cal@example.com", "Cal", `editor:${NO_ID}`),
      call: invited({ roles: roles("editor", NO_ID) }),
    },
  ],
  "staff roles": [
    {
      when: "the last owner",
      prepare: lastOwner,
      args: ({ email }) => [email, "--role", "editor"],
      call: putRoles(roles("editor")),
    },
    {
      when: "an unknown hub",
      prepare: someone,
      args: ({ email }) => [email, "--role", `editor:${NO_ID}`],
      call: putRoles(roles("editor", NO_ID)),
    },
    {
      when: "no person",
      prepare: missing,
      args: ({ id }) => [String(id), "--role", "editor"],
      call: putRoles(roles("editor")),
    },
  ],
  "staff disable": [
    { when: "the last owner", prepare: lastOwner, args: ({ email }) => [email], call: change("disable") },
    { when: "no person", prepare: missing, args: ({ id }) => [String(id)], call: change("disable") },
  ],
  // The last owner is refused in the admin app only: at the machine the operator reads the new link.
  "staff reset": [{ when: "no person", prepare: missing, args: ({ id }) => [String(id)], call: change("reset") }],
};

const line = await buildCommandLine(["--help"]);
const hasOption = (name: string, flag: string): boolean => {
  const [group, command] = name.split(" ");
  const found = line.commands.find((each) => each.name() === group)?.commands.find((each) => each.name() === command);
  return found?.options.some(({ long }) => long === flag) ?? false;
};

test("admin calls: every command of these groups that writes has an admin call with the same refusals", () => {
  const writing = line.commands
    .filter((group) => GROUPS.has(group.name()))
    .flatMap((group) => group.commands.map((command) => `${group.name()} ${command.name()}`))
    .filter((name) => hasOption(name, "--dry-run"));
  expect(Object.keys(REFUSALS).toSorted()).toEqual(writing.toSorted());
});

test.each(Object.entries(REFUSALS).flatMap(([name, all]) => all.map((each) => [name, each.when, each] as const)))(
  "%s: %s is refused by the command and the admin call in the same words",
  async (name, _when, { prepare, args, call }) => {
    const as = await staffOf(app, "owner");
    const person = await prepare(as);
    const { status, body } = await call(as, person);
    const [message] = body as [string];
    const yes = hasOption(name, "--yes") ? ["--yes"] : [];
    expect(await market.run(...name.split(" "), ...args(person), ...yes)).toEqual({
      code: 1,
      out: "",
      err: `${message}\n`,
    });
    expect([400, 404, 409]).toContain(status);
  },
);
