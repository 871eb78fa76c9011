import { formatMoney } from "@marketday/ui/money.ts";

import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useShopper } from "../session/api.ts";

import s from "./gift-cards-tab.module.css";

/** Gift cards in the side panel: what they are, and the way to give or redeem one. */
export default function GiftCardsTab() {
  const { profile } = useShopper();
  return (
    <div className={s.tab}>
      <p className={s.card} aria-hidden="true">
        <strong>$50</strong>
        <span>for someone who cooks</span>
      </p>
      <p>We email the gift card on the day you choose. It's good for everything in the market.</p>
      {profile && profile.credit > 0 && (
        <p>
          You have <strong>{formatMoney(profile.credit)}</strong> of store credit.
        </p>
      )}
      <OverlayLink to={paths.giftCard} className={s.give}>
        Give a gift card
      </OverlayLink>
      <OverlayLink to={`${paths.giftCard}#redeem`} className={s.redeem}>
        Redeem a code
      </OverlayLink>
    </div>
  );
}
