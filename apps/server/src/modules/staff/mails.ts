import type { Tx } from "@marketday/db";
import { z } from "zod";

import type { MailContent } from "../../lib/mail-template.ts";
import { sha256 } from "../../lib/tokens.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";
import { fromData, type MailTemplate, type MailTemplates } from "../mail/template.ts";
import { findOpenLink, type LinkPurpose } from "./link-store.ts";
import { formatRole, toStaffRoles } from "./roles.ts";

/** The page of the admin app that an invitation or reset link opens, below the market's address. */
export const linkPath = (token: string): string => `/admin/invite/${token}`;

interface LinkMail {
  token: string;
  name: string;
  roles: string[];
}

const invitation = ({ token, name, roles }: LinkMail, market: string): MailContent => ({
  subject: `Join the staff of ${market}`,
  heading: `Welcome to the staff of ${market}`,
  parts: [
    `Hi ${name}, you've been invited to help run ${market}. Set up how you sign in with the link below. It works once, within 24 hours.`,
    `Your roles: ${roles.join(", ")}.`,
    "Anyone with this link can set up your account, so don't forward this email. If you weren't expecting it, ignore it.",
  ],
  link: { label: "Set up my sign-in", path: linkPath(token) },
});

const reset = ({ token, name }: LinkMail, market: string): MailContent => ({
  subject: `Set up your sign-in at ${market} again`,
  heading: "Set up your sign-in again",
  parts: [
    `Hi ${name}, your sign-in at ${market} was reset: your passkeys, your password and your recovery codes no longer work, and you've been signed out everywhere. Set it up again with the link below. It works once, within 24 hours.`,
    "Anyone with this link can set up your account, so don't forward this email. If you didn't ask for a reset, call an owner of the market.",
  ],
  link: { label: "Set up my sign-in", path: linkPath(token) },
});

const Roles = z.object({ name: z.string(), roles: z.array(z.string()) });

const rolesChanged = ({ name, roles }: z.infer<typeof Roles>, market: string): MailContent => ({
  subject: `Your roles at ${market} changed`,
  heading: "Your roles changed",
  parts: [
    `Hi ${name}, what you can do at ${market} has changed. Your roles are now: ${roles.join(", ")}.`,
    "If that looks wrong, talk to an owner of the market.",
  ],
  link: { label: "Open the admin app", path: "/admin" },
});

const Token = z.object({ token: z.string() });
const sample: LinkMail = { token: "kQ2v…", name: "Ada Kowalski", roles: ["Manager", "Market lead (Carmel)"] };

/** A mail with a link. It is dropped when the link was replaced, used or has expired before it could be sent. */
const withLink = (about: string, render: (mail: LinkMail, market: string) => MailContent): MailTemplate => ({
  about,
  sort: "always",
  content: async ({ db, env }, data, now) => {
    const { token } = Token.parse(data);
    const link = await findOpenLink(db, token, now);
    if (!link) return null;
    const { name, grants } = link.staff;
    return render({ token, name, roles: toStaffRoles(grants).map(formatRole) }, env.marketName);
  },
  sample: (market) => render(sample, market),
});

/** Mails to the staff. */
export const staffMails: MailTemplates = {
  "staff-invite": withLink("Someone was invited to the staff", invitation),
  "staff-reset": withLink("The sign-in of a person of the staff was reset", reset),
  "staff-roles-changed": fromData("The roles of a person of the staff changed", Roles, rolesChanged, sample),
};

/** Mails a link to its person. The token is only in the mail, and only until that is sent. */
export const mailLink = (
  tx: Tx,
  { email, token, purpose, now }: { email: string; token: string; purpose: LinkPurpose; now: Date },
): Promise<void> =>
  enqueueMailTo(tx, {
    key: `staff-${purpose}:${sha256(token)}`,
    template: `staff-${purpose}`,
    to: email,
    data: { token },
    isSecret: true,
    notBefore: null,
    now,
  });

/** Mails a person their new roles. */
export const mailRolesChanged = (
  tx: Tx,
  member: { id: number; email: string; name: string; version: number },
  roles: readonly string[],
  now: Date,
): Promise<void> =>
  enqueueMailTo(tx, {
    key: `staff-roles-changed:${member.id}:${member.version}`,
    template: "staff-roles-changed",
    to: member.email,
    data: { name: member.name, roles: [...roles] },
    isSecret: false,
    notBefore: null,
    now,
  });
