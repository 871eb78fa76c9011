import type { Customer } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import { useEffect, useState } from "react";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { claimSessionStorage } from "../../lib/storage.ts";
import { postLoggedIn } from "../host.ts";
import { useSessionNews } from "../use-session-news.ts";

/** Who is at a page of the account: first what the server rendered, then our own call's answer. Undefined: not known yet. */
export function useAccount() {
  const [customer, setCustomer] = useState<Customer | null | undefined>(
    boot.session ? (boot.profile ?? null) : undefined,
  );
  const [notice, setNotice] = useState<string | null>(null);
  useEffect(() => {
    if (boot.session) return;
    // Rendered for a session that has ended, where the server says the sentence once.
    call(calls.getAuth)
      .then(async ({ customerId }) => setCustomer(customerId === null ? null : await call(calls.getProfile)))
      .catch((error: unknown) => {
        setNotice(error instanceof Error ? error.message : null);
        setCustomer(null);
      });
  }, []);
  useSessionNews(customer ?? null, setCustomer);
  return {
    customer: customer?.isGuest ? null : customer,
    zipCode: customer?.zipCode ?? null,
    notice,
    /** Logged in or registered on this page: the app follows. */
    adopt: (account: Customer) => {
      claimSessionStorage(account.customerId);
      postLoggedIn();
      setCustomer(account);
    },
    /** What the account is after a change of ours. */
    update: setCustomer,
  };
}
export type Account = ReturnType<typeof useAccount>;
