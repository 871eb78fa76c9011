import * as calls from "@marketday/contracts/calls";
import type { WagonPass } from "@marketday/contracts/wagon-pass";
import { useCallback, useEffect, useState } from "react";

import { call } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "../../ui/skeleton.tsx";
import { AccountGate } from "../payment/account-gate.tsx";
import { FramePage } from "../payment/frame-page.tsx";
import { useAccount } from "../payment/use-account.ts";
import { ActivePass } from "./active-pass.tsx";
import { BuyPass } from "./buy-pass.tsx";
import { PassOffer } from "./pass-offer.tsx";

/** `/embed/wagon-pass`: what it is, and, with an account, to have it, keep it or let it run out (docs/product.md §7). */
export default function WagonPassFrame() {
  const account = useAccount();
  const [changed, setChanged] = useState(false);
  const { customer } = account;
  return (
    <FramePage title="Wagon pass" changed={changed}>
      {customer ? (
        <Pass key={customer.id} onChanged={() => setChanged(true)} />
      ) : (
        <>
          <PassOffer />
          {customer === null && <AccountGate account={account} why="The wagon pass belongs to an account." />}
        </>
      )}
    </FramePage>
  );
}

function Pass({ onChanged }: { onChanged: () => void }) {
  const [pass, setPass] = useState<WagonPass | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const load = useCallback(async () => {
    setFailed(null);
    await call(calls.getWagonPass).then(setPass, (error: unknown) =>
      setFailed(error instanceof Error ? error.message : messages.network),
    );
  }, []);
  useEffect(() => void load(), [load]);
  const adopt = (next: WagonPass) => {
    setPass(next);
    onChanged();
  };
  if (failed) return <ErrorState message={failed} onRetry={() => void load()} />;
  if (!pass)
    return (
      <Skeleton label="your wagon pass">
        <SkeletonPart kind="row" />
        <SkeletonPart kind="row" />
      </Skeleton>
    );
  return pass.status === "active" ? (
    <ActivePass pass={pass} onChanged={adopt} />
  ) : (
    <BuyPass pass={pass} onChanged={adopt} />
  );
}
