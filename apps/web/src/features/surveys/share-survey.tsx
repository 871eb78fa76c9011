import { REFERRAL_CREDIT, REFERRAL_FRIEND_DISCOUNT } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { formatWhole } from "@marketday/ui/money.ts";

import { config } from "../../lib/boot.ts";
import { ReferralLink } from "../referrals/referral-link.tsx";
import { useShopper } from "../session/api.ts";
import type { SurveyProps } from "./send.ts";

import s from "./survey.module.css";

/** For a customer with a referral name: their link to share. */
export function ShareSurvey({ onAnswer, onSkip }: SurveyProps) {
  const { profile } = useShopper();
  return (
    <DialogBody>
      <div className={s.survey}>
        <DialogTitle>Share {config.marketName} with a friend</DialogTitle>
        <p>
          {profile?.firstName ? `${profile.firstName}, with` : "With"} your link a friend gets{" "}
          {formatWhole(REFERRAL_FRIEND_DISCOUNT)} off a first order at {config.marketName}, and you get{" "}
          {formatWhole(REFERRAL_CREDIT)} once it has arrived.
        </p>
        <ReferralLink />
        <div className={s.choices}>
          <Button wide onClick={() => onAnswer({ response: "I shared it" })}>
            I shared it
          </Button>
          <Button kind="outline" wide onClick={() => onAnswer({ response: "No, thank you" })}>
            No, thank you
          </Button>
          <Button kind="quiet" wide onClick={onSkip}>
            Skip
          </Button>
        </div>
      </div>
    </DialogBody>
  );
}
