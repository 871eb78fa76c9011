import type { OrderBox } from "@marketday/contracts/admin/orders";

import { mails } from "#messages/actions";
import * as t from "#messages/orders";

export type BoxEvent = OrderBox["history"][number];

/** The name of a mail by its template; one that is not known, as it is. */
export const mailName = (template: string): string => mails[template] ?? template;

/** What happened, in words. What is not known is shown as it is, and never blank. */
export function eventTitle({ kind, what, who }: Pick<BoxEvent, "kind" | "what"> & Partial<BoxEvent>): string {
  if (kind === "mail") return t.mailNamed(mailName(what));
  if (kind === "order" && what === "placed" && who === "system:auto-checkout") return t.placedByAutoCheckout;
  const known = kind === "audit" ? (t.audits[what] ?? t.events[what]) : (t.events[what] ?? t.audits[what]);
  return known ?? (what.trim() === "" ? kind : what);
}

/** Who did it: "ada@example.com", "the customer", "automatic"; what is not known, as it is. Null: no one is stored. */
export function personName(who: string | null): string | null {
  if (who === null || who === "") return null;
  const [kind = "", name = ""] = who.split(/:(.*)/s);
  if (kind === "staff") return t.people.staff(name);
  if (kind === "cli" || kind === "os") return t.people.cli(name);
  if (kind === "customer") return t.people.customer;
  if (kind === "vendor") return t.people.vendor;
  if (kind === "system" || kind === "job") return t.people.system;
  return who;
}
