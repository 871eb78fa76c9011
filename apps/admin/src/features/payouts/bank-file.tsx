import { Icon } from "@marketday/ui/icon/icon.tsx";

import * as t from "#messages/payouts";

import { bankFileUrl } from "./api.ts";

import s from "./payouts.module.css";

/** Downloads the file that the bank takes. A link of the browser: the app has no page for it. */
export const BankFile = ({ payout }: { payout: number }) => (
  <a href={bankFileUrl(payout)} download className={s.file}>
    <Icon name="out" size="sm" />
    {t.downloadFile}
  </a>
);
