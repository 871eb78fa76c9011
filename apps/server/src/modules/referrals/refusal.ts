import type { Conn } from "@marketday/db";
import { type Person, type ReferralMatch, samePerson, type StreetAddress } from "@marketday/domain/referral";

import { findCreditedReferrals, findRelated } from "./person-store.ts";

/**
 * The reason a friend gets no discount: the data shared with the referrer, or with another friend of the referrer who used it.
 * Null: nothing is shared. `address`: the delivery address of an order that is not placed yet. Source: docs/product.md §17
 * "Referral".
 */
export async function findReferralRefusal(
  db: Conn,
  friendId: number,
  address?: StreetAddress,
): Promise<ReferralMatch | null> {
  const rows = await findRelated(db, friendId);
  const stored = rows.find(({ is_friend }) => is_friend)?.person;
  if (!stored) return null;
  const friend: Person = address ? { ...stored, addresses: [address, ...stored.addresses] } : stored;
  for (const { is_friend, person } of rows) {
    const match = is_friend ? null : samePerson(friend, person);
    if (match !== null) return match;
  }
  return null;
}

/**
 * Pairs that share a card, address or phone although a credit was given for one of them: referrer and friend, or two friends of
 * one referrer. Only data from before the credit counts, because people may move in together later.
 */
export async function findSharedReferrals(db: Conn): Promise<string[]> {
  const rows = await findCreditedReferrals(db);
  return [...Map.groupBy(rows, ({ referrer_id }) => referrer_id).values()].flatMap((friends) =>
    friends.flatMap(({ friend_id, friend, referrer_id, referrer }, place) => {
      const others = [
        { id: referrer_id, role: "the referrer", person: referrer },
        ...friends
          .slice(0, place)
          .map((earlier) => ({ id: earlier.friend_id, role: "another friend", person: earlier.friend })),
      ];
      return others.flatMap(({ id, role, person }) => {
        const match = samePerson(friend, person);
        return match === null ? [] : [`referral of ${friend_id} was credited, but ${role} ${id} has the same ${match}`];
      });
    }),
  );
}
