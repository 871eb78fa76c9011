import { execute, type SqlTx, sql } from "@marketday/db";

import { isLinkWaiting } from "../../answers/answer-sql.ts";

/** Keeps the email addresses that the file's vendors have before they are written. Locks the vendors: messages to them wait. */
export const keepAddresses = (tx: SqlTx) =>
  tx.client.query(`create temp table address_before on commit drop as
    select v.id, v.email, 0 as revoked, 0 as lists from vendor v where v.email is not null and v.slug in (select slug from incoming)
    order by v.id for no key update of v`);

/**
 * Revokes the links that were mailed to an address which is no longer the vendor's (docs/decisions/0009). Counted are those that worked
 * and whose message or question waits for an answer, and those of a delivery day that has not ended, which their address revokes.
 */
export const revokeLinksOfOldAddresses = (tx: SqlTx, now: Date) =>
  execute(
    tx,
    sql`with revoked as (
       update answer_link l set revoked_at = ${now} from address_before a join vendor v on v.id = a.id
       where l.vendor_id = v.id and lower(v.email) is distinct from lower(a.email) and l.used_at is null and l.revoked_at is null
       returning l.vendor_id, l.expires_at > ${now} and ${isLinkWaiting} as waits)
     update address_before a set revoked = (select count(*) from revoked r where r.vendor_id = a.id and r.waits),
       lists = (
         select count(*) from harvest_link l join vendor v on v.id = l.vendor_id join delivery d on d.id = l.delivery_id join hub h on h.id = d.hub_id
         where l.vendor_id = a.id and l.revoked_at is null and lower(l.email) = lower(a.email) and lower(v.email) is distinct from lower(a.email)
           and (d.day + 1)::timestamp at time zone h.time_zone > ${now})`,
  );

/** Which vendors have messages, questions and lists of what to bring whose links were revoked. */
export async function noteRevokedLinks(tx: SqlTx): Promise<string[]> {
  const { rows } = await tx.client.query<{ slug: string; revoked: number; lists: number }>(
    "select v.slug, a.revoked, a.lists from address_before a join vendor v on v.id = a.id where a.revoked > 0 or a.lists > 0 order by v.slug",
  );
  const formatRevoked = (slug: string, count: number, of: string, where: string) =>
    `${slug}: the ${count === 1 ? `link${of} that was` : `${count} links${of} that were`} emailed to the old address no longer work${count === 1 ? "s" : ""}. ${where}`;
  return rows.flatMap(({ slug, revoked, lists }) => [
    ...(revoked > 0 ? [formatRevoked(slug, revoked, "", "What waits is in the inbox.")] : []),
    ...(lists > 0
      ? [
          formatRevoked(
            slug,
            lists,
            " to what they bring",
            `Send them a new one: ./market vendors link HUB DATE ${slug}`,
          ),
        ]
      : []),
  ]);
}
