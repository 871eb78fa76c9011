import type { SqlTx } from "@marketday/db";

/** Keeps the email addresses that the file's vendors have before they are written. */
export const keepAddresses = (tx: SqlTx) =>
  tx.client.query(`create temp table address_before on commit drop as
    select v.id, v.email, 0 as revoked from vendor v where v.email is not null and v.slug in (select slug from incoming)`);

/** Revokes the links that were mailed to an address which is no longer the vendor's (docs/decisions/0009). */
export const revokeLinksOfOldAddresses = (tx: SqlTx, now: Date) =>
  tx.client.query(
    `with revoked as (
       update answer_link l set revoked_at = $1 from address_before a join vendor v on v.id = a.id
       where l.vendor_id = v.id and v.email is distinct from a.email and l.used_at is null and l.revoked_at is null
       returning l.vendor_id)
     update address_before a set revoked = (select count(*) from revoked r where r.vendor_id = a.id)`,
    [now],
  );

/** Which vendors have messages whose links were revoked. */
export async function noteRevokedLinks(tx: SqlTx): Promise<string[]> {
  const { rows } = await tx.client.query<{ slug: string; revoked: number }>(
    "select v.slug, a.revoked from address_before a join vendor v on v.id = a.id where a.revoked > 0 order by v.slug",
  );
  return rows.map(
    ({ slug, revoked }) =>
      `${slug}: the ${revoked === 1 ? "link that was" : `${revoked} links that were`} emailed to the old address no longer work${revoked === 1 ? "s" : ""}. Answer in the inbox.`,
  );
}
