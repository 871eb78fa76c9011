import { Banner } from "@marketday/ui/banner.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { useEffect, useRef } from "react";

import * as t from "#messages/payouts";

import { paths } from "../../lib/paths.ts";
import { BankFile } from "./bank-file.tsx";
import { useAddress } from "./use-address.ts";

import s from "./payouts.module.css";

export interface Booked {
  payout: number;
  vendors: number;
  total: number;
}

/** What was booked just now, with the file for the bank. It takes the focus: its button has gone. */
export function BookedNotice({
  booked: { payout, vendors, total },
  onDismiss,
}: {
  booked: Booked;
  onDismiss: () => void;
}) {
  const to = useAddress();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // After the dialog has given the focus back.
    const frame = requestAnimationFrame(() => box.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div ref={box} role="status" tabIndex={-1} className={s.notice}>
      <Banner
        tone="other"
        title={t.booked(payout, formatMoney(total), vendors)}
        onDismiss={onDismiss}
        action={
          <span className={s.actions}>
            <BankFile payout={payout} />
            <Link to={to(paths.payout(payout))} className={s.link}>
              {t.openPayout(payout)}
            </Link>
          </span>
        }
      >
        {t.bookedNote}
      </Banner>
    </div>
  );
}
