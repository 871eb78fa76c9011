import type { Conn } from "@marketday/db";
import {
  normaliseStreet,
  type Person,
  type ReferralMatch,
  type ReferralRefusal,
  sameAddress,
  samePerson,
  type StreetAddress,
} from "@marketday/domain/referral";

import { markAddress } from "./address-mark.ts";
import {
  findCardlessDiscounts,
  findCreditedReferrals,
  findFriendsWithOneCard,
  findOtherAddresses,
  findRelated,
  hasNoCard,
} from "./person-sql.ts";

/**
 * The reason a friend gets no discount: the data shared with the referrer, or with another friend of the referrer who used it, or a card
 * shared with any customer who used it. Null: nothing is shared. `address`: the delivery address of an order that is not placed yet.
 * Source: docs/product.md §17 "Referral".
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

/** What the rule for orders without a card payment depends on apart from the order. */
export interface CardlessRule {
  takesCards: boolean;
  /** Of the marks of deleted customers' addresses. */
  pepper: string;
}

/**
 * The reason a friend gets no discount on an order without a card payment: no card of theirs is known, and the order is no delivery to an
 * address that no other customer has used, deleted ones included. `address`: null for a pickup. Source: docs/product.md §17 "Referral".
 */
export async function findCardlessRefusal(
  db: Conn,
  friendId: number,
  address: StreetAddress | null,
  { takesCards, pepper }: CardlessRule,
): Promise<ReferralRefusal | null> {
  if (!(await hasNoCard(db, friendId))) return null;
  if (address) {
    const mark = markAddress(address, pepper);
    const others = await findOtherAddresses(db, friendId, address.zipCode);
    if (others.every((other) => !sameAddress(address, other) && other.mark !== mark)) return null;
  }
  return takesCards ? "card_needed" : "address_needed";
}

/** Friends who used the discount with the card of another friend, or without a card at the address of another one. */
async function findSharedDiscounts(db: Conn): Promise<string[]> {
  const cards = (await findFriendsWithOneCard(db)).map((pair) => ({ ...pair, what: "card" }));
  const friendOf = new Map<string, number>();
  const addresses = (await findCardlessDiscounts(db)).flatMap(({ friend_id, ...address }) => {
    const street = normaliseStreet(address);
    const earlier_id = friendOf.get(street);
    if (earlier_id === undefined) friendOf.set(street, friend_id);
    return earlier_id === undefined ? [] : [{ friend_id, earlier_id, what: "address, without a card" }];
  });
  return [...cards, ...addresses].map(
    ({ friend_id, earlier_id, what }) =>
      `referral of ${friend_id} was used, but the discount of ${earlier_id} was used with the same ${what}`,
  );
}

/**
 * Pairs that share a card, address or phone although a credit was given for one of them: referrer and friend, or two friends of
 * one referrer. And friends of any referrers who used the discount with one card (`findSharedDiscounts`). Only data from before the credit counts, because people may move in together later.
 */
export async function findSharedReferrals(db: Conn): Promise<string[]> {
  const rows = await findCreditedReferrals(db);
  const pairs = [...Map.groupBy(rows, ({ referrer_id }) => referrer_id).values()].flatMap((friends) =>
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
  return [...pairs, ...(await findSharedDiscounts(db))];
}
