import { execute, type SqlTx, sql } from "@marketday/db";

import { isLinkWaiting } from "../../answers/answer-sql.ts";

/** Keeps the email addresses that the file's vendors have before they are written. Locks the vendors: messages to them wait. */
export const keepAddresses = (tx: SqlTx) =>
  tx.client.query(`create temp table address_before on commit drop as
    select v.id, v.email, 0 as revoked from vendor v where v.email is not null and v.slug in (select slug from incoming)
    order by v.id for no key update of v`);

/**
 * Revokes the links that were mailed to an address which is no longer the vendor's (docs/decisions/0009). Those that worked and
 * whose message or question waits for an answer are counted.
 */
export const revokeLinksOfOldAddresses = (tx: SqlTx, now: Date) =>
  execute(
    tx,
    sql`with revoked as (
       update answer_link l set revoked_at = ${now} from address_before a join vendor v on v.id = a.id
       where l.vendor_id = v.id and lower(v.email) is distinct from lower(a.email) and l.used_at is null and l.revoked_at is null
       returning l.vendor_id, l.expires_at > ${now} and ${isLinkWaiting} as waits)
     update address_before a set revoked = (select count(*) from revoked r where r.vendor_id = a.id and r.waits)`,
  );

/** Which vendors have messages and questions whose links were revoked. */
export async function noteRevokedLinks(tx: SqlTx): Promise<string[]> {
  const { rows } = await tx.client.query<{ slug: string; revoked: number }>(
    "select v.slug, a.revoked from address_before a join vendor v on v.id = a.id where a.revoked > 0 order by v.slug",
  );
  return rows.map(
    ({ slug, revoked }) =>
      `${slug}: the ${revoked === 1 ? "link that was" : `${revoked} links that were`} emailed to the old address no longer work${revoked === 1 ? "s" : ""}. What waits is in the inbox.`,
  );
}
