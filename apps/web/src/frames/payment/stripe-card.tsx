import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useEffect, useRef, useState } from "react";

import type { FormUse } from "./stripe-form.ts";
import { mountCardForm } from "./stripe-session.ts";

type Mounted = Awaited<ReturnType<typeof mountCardForm>>;

/** Stripe's own card form: what is typed goes to Stripe and never to this market. */
export function StripeCard({ use }: { use: FormUse }) {
  const place = useRef<HTMLDivElement>(null);
  const mounted = useRef<Mounted | null>(null);
  const wanted = useRef(use);
  const [state, setState] = useState<"loading" | "ready" | "failed">("loading");
  const [turn, setTurn] = useState(0);
  const { kind } = use;

  useEffect(() => {
    let gone = false;
    const element = place.current;
    if (!element) return;
    setState("loading");
    mountCardForm(element, wanted.current, () => !gone && setState("ready")).then(
      (form) => {
        if (gone) return form.remove();
        mounted.current = form;
        void form.update(wanted.current);
        return undefined;
      },
      () => !gone && setState("failed"),
    );
    return () => {
      gone = true;
      mounted.current?.remove();
      mounted.current = null;
    };
    // Another use, or another try, is another form.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [kind, turn]);
  const words = JSON.stringify(use);
  useEffect(() => {
    wanted.current = JSON.parse(words) as FormUse;
    void mounted.current?.update(wanted.current);
  }, [words]);

  return (
    <>
      {state === "loading" && (
        <Skeleton label="the card form">
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
        </Skeleton>
      )}
      {state === "failed" && (
        <ErrorState
          message="The card form could not be loaded. Check your connection, then try again."
          onRetry={() => setTurn(turn + 1)}
        />
      )}
      <div ref={place} hidden={state === "failed"} />
    </>
  );
}
