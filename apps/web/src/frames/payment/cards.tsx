import { marketNow } from "@marketday/client/clock.ts";
import { useAction } from "@marketday/client/forms/use-action.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/calls";
import type { PaymentMethod } from "@marketday/contracts/payments";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Chip } from "@marketday/ui/chip.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { Panel } from "@marketday/ui/panel.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useState } from "react";

import { isOutcomeUnknown } from "../../features/checkout/place.ts";
import { call } from "../../lib/api.ts";
import { type CardDraft, cardProblems, emptyCard } from "../checkout/card.ts";
import { brandName, NewCard } from "../checkout/payment-step.tsx";
import { usePaying } from "../shell/host.ts";
import { formatExpiry, meansOf, takesCards } from "./pay-with.tsx";
import { answerBank, forgetToken, usesStripe } from "./stripe-session.ts";
import { useMethods } from "./use-methods.ts";
import { BANK_UNDECIDED } from "./use-purchase.tsx";

import s from "./cards.module.css";

const nameOf = ({ brand, last4 }: PaymentMethod) => `${brandName(brand)} ending in ${last4}`;

/** Saved cards: add one, choose the default, take one off. */
export function Cards() {
  const { methods, error: failed, load, setMethods } = useMethods();
  const { running, error, attempt } = useAction();
  usePaying(running === "add");
  const [removing, setRemoving] = useState<number | null>(null);

  if (!takesCards)
    return (
      <Banner tone="information" title="No cards needed">
        This market is paid at pickup or at the door.
      </Banner>
    );
  if (!methods)
    return failed ? (
      <ErrorState message={failed} onRetry={() => void load()} />
    ) : (
      <Skeleton label="your cards">
        <SkeletonPart kind="row" />
        <SkeletonPart kind="row" />
      </Skeleton>
    );
  const change = async (name: string, send: () => Promise<PaymentMethod[]>, words: string) => {
    const next = await attempt(name, () =>
      send().catch((failure: unknown) => {
        // It may have been saved all the same.
        if (failure instanceof ApiError && isOutcomeUnknown(failure)) void load();
        throw failure;
      }),
    );
    if (!next) return false;
    setMethods(next);
    toast({ text: words });
    return true;
  };
  /** Keeps a card; the bank may want to ask first. */
  const add = async (card: CardDraft): Promise<PaymentMethod[]> => {
    const answer = await call(calls.addPaymentMethod, { body: await meansOf({ method: "new", card }, []) });
    forgetToken();
    if (!("challenge" in answer)) return answer;
    await answerBank(answer.challenge.clientSecret);
    const kept = await call(calls.completePaymentMethod, { body: { setupId: answer.challenge.setupId } });
    if ("challenge" in kept) throw new Error(BANK_UNDECIDED);
    return kept;
  };
  return (
    <>
      {error && (
        <Banner tone="error" role="alert">
          {error}
        </Banner>
      )}
      {methods.length === 0 ? (
        <EmptyState icon="wagon" title="No card saved yet">
          A saved card makes the next checkout one tap.
        </EmptyState>
      ) : (
        <ul className={s.cards} aria-label="Saved cards">
          {methods.map((method) => (
            <li key={method.id} className={s.card}>
              <span className={s.words}>
                <strong>{nameOf(method)}</strong>
                <small>Expires {formatExpiry(method.expMonth, method.expYear)}</small>
              </span>
              {removing === method.id ? (
                <span className={s.buttons} role="group" aria-label={`Remove ${nameOf(method)}?`}>
                  <Button kind="outline" onClick={() => setRemoving(null)}>
                    Keep it
                  </Button>
                  <Button
                    kind="danger"
                    busy={running === `remove ${method.id}` && "Removing…"}
                    onClick={() =>
                      void change(
                        `remove ${method.id}`,
                        () => call(calls.removePaymentMethod, { params: { id: method.id } }),
                        "Card removed",
                      ).then(() => setRemoving(null))
                    }
                  >
                    Remove
                  </Button>
                </span>
              ) : (
                <span className={s.buttons}>
                  {method.isDefault ? (
                    <Chip>Default</Chip>
                  ) : (
                    <Button
                      kind="quiet"
                      aria-label={`Make ${nameOf(method)} the default`}
                      busy={running === `default ${method.id}` && "Saving…"}
                      onClick={() =>
                        void change(
                          `default ${method.id}`,
                          () => call(calls.setDefaultPaymentMethod, { params: { id: method.id } }),
                          "Default card changed",
                        )
                      }
                    >
                      Make default
                    </Button>
                  )}
                  <Button kind="quiet" aria-label={`Remove ${nameOf(method)}`} onClick={() => setRemoving(method.id)}>
                    Remove
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <AddCard busy={running === "add"} onAdd={(card) => change("add", () => add(card), "Card saved")} />
    </>
  );
}

function AddCard({ busy, onAdd }: { busy: boolean; onAdd: (card: CardDraft) => Promise<boolean> }) {
  const [card, setCard] = useState(emptyCard);
  const { problems, check } = useForm({ ids: {}, problems: usesStripe ? [] : cardProblems(card, marketNow()) });
  const submit = () => {
    if (check()) void onAdd(card).then((added) => added && setCard(emptyCard));
  };
  return (
    <Panel as="section" label="Add a card">
      <Form onSubmit={submit} problems={problems}>
        <h2>Add a card</h2>
        <NewCard
          card={card}
          problems={problems}
          use={{ kind: "setup" }}
          onChange={(change) => setCard({ ...card, ...change })}
        />
        <Button type="submit" size="lg" busy={busy && "Saving…"}>
          Save card
        </Button>
      </Form>
    </Panel>
  );
}
