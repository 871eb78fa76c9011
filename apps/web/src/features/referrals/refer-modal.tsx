import type { Referrals } from "@marketday/contracts/account";
import { REFERRAL_CREDIT, REFERRAL_FRIEND_DISCOUNT } from "@marketday/domain/limits";
import { Chip } from "@marketday/ui/chip.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { formatMoney, formatWhole } from "@marketday/ui/money.ts";
import { useQuery } from "@tanstack/react-query";

import { referralsQuery } from "./api.ts";
import { ReferralLink } from "./referral-link.tsx";

import s from "./referrals.module.css";

type FriendState = Referrals["friends"][number]["state"];
const states: Record<FriendState, { words: string; tone: "plain" | "squash" | "kale" }> = {
  registered: { words: "Registered", tone: "plain" },
  ordered: { words: "First order placed", tone: "squash" },
  credited: { words: `You got ${formatWhole(REFERRAL_CREDIT)}`, tone: "kale" },
};
/** Refer friends (spec §1, §2.4): twenty dollars each, one's link, and how far every friend got. */
export default function ReferModal() {
  const { data } = useQuery(referralsQuery);
  return (
    <DialogBody>
      <div className={s.refer}>
        <DialogTitle>Refer friends</DialogTitle>
        <div className={s.both}>
          <p className={s.side}>
            <strong>{formatWhole(REFERRAL_FRIEND_DISCOUNT)}</strong>
            <span>off your friend’s first order</span>
          </p>
          <p className={s.side}>
            <strong>{formatWhole(REFERRAL_CREDIT)}</strong>
            <span>in credit for you after their first order</span>
          </p>
        </div>
        <ReferralLink />
        {data && (
          <section className={s.friends} aria-label="Your friends">
            {data.credit > 0 && (
              <p>
                You have <strong>{formatMoney(data.credit)}</strong> of store credit. It's applied at checkout.
              </p>
            )}
            <h3>Your friends</h3>
            {data.friends.length === 0 ? (
              <p className={s.quiet}>No one yet. Friends who join with your link show up here.</p>
            ) : (
              <ul className={s.list}>
                {data.friends.map(({ name, state }, place) => (
                  // Friends may share a name; the list is only ever read whole.
                  // oxlint-disable-next-line react/no-array-index-key
                  <li key={`${name}-${place}`}>
                    <span>{name}</span>
                    <Chip tone={states[state].tone}>{states[state].words}</Chip>
                  </li>
                ))}
              </ul>
            )}
          </section>
        )}
      </div>
    </DialogBody>
  );
}
