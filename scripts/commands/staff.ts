import { type Grant, type Role, ROLES } from "@marketday/domain/staff";
import type { Deps } from "@marketday/server/deps";
import { marketUrl } from "@marketday/server/lib/market-url";
import { changeRoles } from "@marketday/server/modules/staff/change-roles";
import { disableMember } from "@marketday/server/modules/staff/disable-member";
import { type Invited, inviteMember } from "@marketday/server/modules/staff/invite-member";
import { linkPath } from "@marketday/server/modules/staff/mails";
import { memberNamed } from "@marketday/server/modules/staff/member-named";
import { parsePerson } from "@marketday/server/modules/staff/parse-person";
import { resetMember } from "@marketday/server/modules/staff/reset-member";
import { formatRole, hubIdNamed } from "@marketday/server/modules/staff/roles";
import { toStaffMember } from "@marketday/server/modules/staff/serialize";
import { findMembers } from "@marketday/server/modules/staff/store";
import { type Command, InvalidArgumentError } from "commander";

import { command, group } from "../lib/cli/command.ts";

/** A role as it is typed: "owner", "hub_lead:carmel". */
interface TypedRole {
  role: Role;
  /** Slug or id; null: every hub. */
  hub: string | null;
}

function parseRole(text: string, before: readonly TypedRole[] = []): TypedRole[] {
  const [, name, hub] = /^([a-z_]+)(?::(.+))?$/.exec(text) ?? [];
  const role = ROLES.find((each) => each === name);
  if (role === undefined)
    throw new InvalidArgumentError(`Give a role, as ROLE or ROLE:HUB. The roles are ${ROLES.join(", ")}.`);
  return [...before, { role, hub: hub ?? null }];
}

const withRoles = (cmd: Command): Command =>
  cmd.requiredOption("--role <role>", "a role, or a role in one hub (hub_lead:carmel); may be repeated", parseRole);

const toGrants = ({ db }: Deps, typed: readonly TypedRole[]): Promise<Grant[]> =>
  Promise.all(typed.map(async ({ role, hub }) => ({ role, hubId: hub === null ? null : await hubIdNamed(db, hub) })));

const rolesOf = ({ roles }: ReturnType<typeof toStaffMember>): string => roles.map(formatRole).join(", ");

/** The address at which a person sets up their sign-in; null after a dry run, which made none. */
const linkOf = ({ env }: Deps, { token }: Invited, dryRun: boolean): string | null =>
  dryRun ? null : `${marketUrl(env)}${linkPath(token)}`;

const linkLines = (email: string, link: string | null): string[] =>
  link === null ? [] : [`A link was emailed to ${email}. It works once, within 24 hours:`, `  ${link}`];

const listStaff = (): Command =>
  command({
    name: "list",
    summary: "list the people who run the market, with their roles",
    examples: ["staff list"],
    async run({ out, market }) {
      const members = await market(async ({ deps, now }) => (await findMembers(deps.db, now)).map(toStaffMember));
      out.answer(members, () =>
        members.length === 0
          ? "No one is on the staff yet. ./market staff invite EMAIL --name NAME --role owner invites the first person."
          : out.table(
              ["id", "email", "name", "state", "roles", "passkeys", "last seen"],
              members.map((member) => [
                member.id,
                member.email,
                member.name,
                member.state,
                rolesOf(member),
                member.passkeys,
                member.lastSeenAt?.slice(0, 10) ?? "",
              ]),
              ["id", "passkeys"],
            ),
      );
    },
  });

const invite = (): Command =>
  command<{ name: string; role: TypedRole[] }>({
    name: "invite <email>",
    summary: "invite a person to the staff, and print the link that sets up their sign-in",
    about:
      "The link is emailed too. Anyone who has it can sign in as that person: pass it on privately. A person who was disabled gets access again, with a new link.",
    examples: [
      'staff invite ada@little-wagon.example --name "Ada Kowalski" --role owner',
      'staff invite ben@little-wagon.example --name "Ben Ortiz" --role hub_lead:carmel --role editor',
    ],
    options: (cmd) => withRoles(cmd.requiredOption("--name <name>", "the person's name")),
    writes: true,
    reason: "optional",
    async run({ options, out, market }, email) {
      const dryRun = options.dryRun === true;
      const person = parsePerson({ email, name: options.name });
      const { member, link } = await market(async (ctx) => {
        const roles = await toGrants(ctx.deps, options.role);
        const invited = await inviteMember(ctx, { ...person, roles, reason: options.reason ?? "", dryRun });
        return { member: toStaffMember(invited.member), link: linkOf(ctx.deps, invited, dryRun) };
      });
      out.answer({ member, link, dryRun }, () =>
        [
          `${dryRun ? "Would invite" : "Invited"} ${member.name} (${member.email}): ${rolesOf(member)}.`,
          ...linkLines(member.email, link),
        ].join("\n"),
      );
    },
  });

const roles = (): Command =>
  command<{ role: TypedRole[] }>({
    name: "roles <who>",
    summary: "replace the roles of a person of the staff, and email them",
    about:
      "The person is a full email or an id. The roles count from their next click on. The last owner stays an owner.",
    examples: ["staff roles ben@little-wagon.example --role manager"],
    options: withRoles,
    writes: true,
    reason: "optional",
    async run({ options, out, market }, who) {
      const dryRun = options.dryRun === true;
      const { member, isChanged } = await market(async (ctx) => {
        const granted = await toGrants(ctx.deps, options.role);
        const { id, version } = await memberNamed(ctx.deps.db, who, ctx.now);
        const change = { id, expectedVersion: null, roles: granted, reason: options.reason ?? "", dryRun };
        const changed = toStaffMember(await changeRoles(ctx, change));
        return { member: changed, isChanged: dryRun || changed.version !== version };
      });
      out.answer({ member, dryRun }, () =>
        isChanged
          ? `${member.name} ${dryRun ? "would be" : "is now"}: ${rolesOf(member)}.`
          : `${member.name} already is: ${rolesOf(member)}. Nothing was done.`,
      );
    },
  });

const disable = (): Command =>
  command({
    name: "disable <who>",
    summary: "end a person's access to the admin app at once, in every browser",
    about:
      "The person is a full email or an id. `./market staff reset` or `./market staff invite` gives access again. Refused for the last owner.",
    examples: ["staff disable ben@little-wagon.example --yes"],
    writes: true,
    needsConfirmation: true,
    reason: "optional",
    async run({ options, out, market, confirm }, who) {
      await confirm(`End the access of ${who} now?`);
      const dryRun = options.dryRun === true;
      const { member, isChanged } = await market(async (ctx) => {
        const { id, version } = await memberNamed(ctx.deps.db, who, ctx.now);
        const change = { id, expectedVersion: null, reason: options.reason ?? "", dryRun };
        const changed = toStaffMember(await disableMember(ctx, change));
        return { member: changed, isChanged: changed.version !== version };
      });
      out.answer({ member, dryRun }, () => {
        if (dryRun) return `Would end the access of ${member.name}.`;
        return isChanged
          ? `${member.name} has no access anymore.`
          : `${member.name} has no access already. Nothing was done.`;
      });
    },
  });

const reset = (): Command =>
  command({
    name: "reset <who>",
    summary: "delete a person's passkeys, password and codes, and print a new link to set them up",
    about:
      "The person is a full email or an id. For a lost phone, a disabled person, or an invitation that expired. Every browser is signed out.",
    examples: ["staff reset ada@little-wagon.example --yes"],
    writes: true,
    needsConfirmation: true,
    reason: "optional",
    async run({ options, out, market, confirm }, who) {
      await confirm(`Delete what ${who} signs in with, and send a new link?`);
      const dryRun = options.dryRun === true;
      const { member, link } = await market(async (ctx) => {
        const { id } = await memberNamed(ctx.deps.db, who, ctx.now);
        const change = { id, expectedVersion: null, reason: options.reason ?? "", dryRun };
        const done = await resetMember(ctx, change);
        return { member: toStaffMember(done.member), link: linkOf(ctx.deps, done, dryRun) };
      });
      out.answer({ member, link, dryRun }, () =>
        [
          `${dryRun ? "Would reset" : "Reset"} the sign-in of ${member.name} (${member.email}).`,
          ...linkLines(member.email, link),
        ].join("\n"),
      );
    },
  });

/** `market staff …`: who runs the market. The same use cases as the admin app's (docs/product.md §18). */
export const staffCommand = (): Command =>
  group("staff", "invite people to run the market, and change or end their access", [
    listStaff(),
    invite(),
    roles(),
    disable(),
    reset(),
  ]);
