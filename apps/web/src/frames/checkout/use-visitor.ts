import type { Customer } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import type { Cart } from "@marketday/contracts/cart";
import { useCallback, useEffect, useState } from "react";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { messages } from "../../lib/messages.ts";
import { claimSessionStorage } from "../../lib/storage.ts";
import { useSessionNews } from "../use-session-news.ts";

/** Who is at the checkout and what is in their cart; first what the server rendered, then our own calls' answers. */
export function useVisitor() {
  const [customer, setCustomer] = useState<Customer | null>(boot.profile ?? null);
  const [cart, setCart] = useState<Cart | null>(boot.cart ?? null);
  /** Why a login is required, when there is a reason besides being a guest. */
  const [notice, setNotice] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const [isNew, setIsNew] = useState(false);
  const known = Boolean(boot.session);

  const reloadCart = useCallback(async () => {
    setFailed(false);
    await call(calls.getCart).then(setCart, () => setFailed(true));
  }, []);

  useEffect(() => {
    if (known) return;
    // Rendered for a session that has ended, where the server says the sentence once; or not rendered at all.
    call(calls.getAuth)
      .then(async ({ customerId }) => {
        if (customerId !== null) setCustomer(await call(calls.getProfile));
      })
      .catch((error: unknown) => setNotice(error instanceof Error ? error.message : null))
      .finally(() => void reloadCart());
  }, [known, reloadCart]);

  useSessionNews(customer, (fresh) => {
    setCustomer(fresh);
    void call(calls.getCart).then(setCart, () => null);
  });

  const adopt = useCallback(
    async (account: Customer) => {
      claimSessionStorage(account.customerId);
      await reloadCart();
      setNotice(null);
      setIsNew(true);
      setCustomer(account);
    },
    [reloadCart],
  );
  // Whichever call finds out first, the customer who was logged in here sees the reason.
  const expire = useCallback(() => {
    setNotice(messages.sessionExpired);
    setCustomer(null);
  }, []);

  return {
    customer: customer && !customer.isGuest ? customer : null,
    /** They logged in or registered on this page. */
    isNew,
    guestZip: customer?.zipCode ?? null,
    cart,
    failed,
    notice,
    reloadCart,
    /** The account as it is after a change of ours. */
    update: setCustomer,
    /** Logged in or registered: the cart is the account's now, with the guest's merged into it. */
    adopt,
    /** The session ended: typed text is kept, a login is required. */
    expire,
  };
}
