import { REFERRAL_FRIEND_DISCOUNT, TOAST_LINK_COPIED_MS } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { formatWhole } from "@marketday/ui/money.ts";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";

import { config } from "../../lib/boot.ts";
import { messages } from "../../lib/messages.ts";
import { ShareButton } from "../share/share-button.tsx";
import { referralsQuery } from "./api.ts";

import s from "./referrals.module.css";

/** One's own link, to copy or to hand on. */
export function ReferralLink() {
  const { data, error, refetch } = useQuery(referralsQuery);
  const field = useRef<HTMLInputElement>(null);
  const link = data?.link;
  // The end of a long one is what tells it from others.
  useLayoutEffect(() => {
    if (link && field.current) field.current.scrollLeft = field.current.scrollWidth;
  }, [link]);
  if (!link)
    return error ? (
      <ErrorState message={error.message} onRetry={() => void refetch()} />
    ) : (
      <Skeleton label="your link">
        <SkeletonPart kind="row" />
      </Skeleton>
    );
  const { pathname, search } = new URL(link);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      toast({ text: messages.linkCopied, duration: TOAST_LINK_COPIED_MS });
    } catch {
      // No clipboard for us (an old browser, no https): selected, to copy by hand.
      field.current?.select();
    }
  };
  return (
    <div className={s.link}>
      <Field label="Your link">
        <TextInput ref={field} readOnly value={link} onFocus={(event) => event.target.select()} />
      </Field>
      <Button onClick={() => void copy()}>Copy</Button>
      <ShareButton
        title={`${formatWhole(REFERRAL_FRIEND_DISCOUNT)} off at ${config.marketName}`}
        path={pathname + search}
      />
    </div>
  );
}
