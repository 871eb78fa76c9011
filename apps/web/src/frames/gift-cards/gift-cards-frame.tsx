import { formatMoney } from "@marketday/ui/money.ts";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { Tabs } from "@marketday/ui/tabs.tsx";
import { useState } from "react";

import { AccountGate } from "../shell/account-gate.tsx";
import { FramePage } from "../shell/frame-page.tsx";
import { useAccount } from "../shell/use-account.ts";
import { BuyGift } from "./buy-gift.tsx";
import { RedeemGift } from "./redeem-gift.tsx";
import { SentGifts } from "./sent-gifts.tsx";

import s from "./gift-cards.module.css";

const startTab = { "#redeem": "redeem", "#sent": "sent" } as const;
type Tab = "give" | "sent" | "redeem";

/** `/embed/gift-cards`: buy one as a gift, see those that were bought, or turn a code into store credit. Guests log in first (spec §2.1, §6). */
export default function GiftCardsFrame() {
  const account = useAccount();
  const [tab, setTab] = useState<Tab>(startTab[location.hash as keyof typeof startTab] ?? "give");
  const { customer } = account;
  return (
    <FramePage title="Gift cards">
      {customer === undefined ? (
        <Skeleton label="gift cards">
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
        </Skeleton>
      ) : customer ? (
        <>
          {customer.credit > 0 && (
            <p className={s.credit}>
              You have <strong>{formatMoney(customer.credit)}</strong> of store credit. It's applied at checkout.
            </p>
          )}
          <Tabs
            label="Gift cards"
            current={tab}
            onChange={setTab}
            tabs={[
              {
                id: "give",
                label: "Send a gift",
                panel: (
                  <div className={s.panel}>
                    <BuyGift key={customer.id} />
                  </div>
                ),
              },
              {
                id: "sent",
                label: "Your gifts",
                panel: tab === "sent" && (
                  <div className={s.panel}>
                    <SentGifts key={customer.id} />
                  </div>
                ),
              },
              {
                id: "redeem",
                label: "Redeem a code",
                panel: (
                  <div className={s.panel}>
                    <RedeemGift credit={customer.credit} onRedeemed={account.update} />
                  </div>
                ),
              },
            ]}
          />
        </>
      ) : (
        <AccountGate account={account} why="Gift cards are bought and redeemed with an account." />
      )}
    </FramePage>
  );
}
