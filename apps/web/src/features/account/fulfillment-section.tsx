import { useAction } from "@marketday/client/forms/use-action.ts";
import type { Customer } from "@marketday/contracts/account";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Form, type FormProblem } from "@marketday/ui/form.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { toast } from "@marketday/ui/toast-store.ts";
import { useLayoutEffect, useRef, useState } from "react";

import { config } from "../../lib/boot.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { screenMessages } from "../../lib/screen-messages.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { useHub } from "../hubs/api.ts";
import DoorNotice from "../hubs/door-notice.tsx";
import AddressFields from "./address-fields.tsx";
import {
  type AddressDraft,
  type AddressField,
  addressProblems,
  emptyAddress,
  newAddress,
  withPlace,
} from "./address.ts";
import { useChangeProfile } from "./api.ts";
import { MethodRows, PointRows } from "./fulfillment-rows.tsx";
import { formatCard, formatFee, formatPlace, formatPlaceNote } from "./fulfillment.ts";
import { useZipPlace } from "./zip-place.ts";

import s from "./fulfillment-section.module.css";

interface FulfillmentSectionProps {
  profile: Customer;
  /** The form is there at once; else behind Change. */
  isOpen: boolean;
}

/** The chosen method, or the address where there is no choice. */
const FIRST_FIELD = "form input:checked, form input:not([type=radio])";

/** How a customer receives and pays for automatic orders, and the form that changes it (docs/product.md §9). */
export default function FulfillmentSection({ profile, isOpen }: FulfillmentSectionProps) {
  const { fulfillment, paymentInfo } = profile;
  const { openModal } = useNavigation();
  const [isEditing, setEditing] = useState(isOpen || !fulfillment);
  const section = useRef<HTMLElement>(null);
  const wasEditing = useRef(isEditing);
  useLayoutEffect(() => {
    const isChanged = wasEditing.current !== isEditing;
    wasEditing.current = isEditing;
    // The button that was pressed is gone.
    if (isChanged && document.activeElement === document.body)
      section.current?.querySelector<HTMLElement>(isEditing ? FIRST_FIELD : "h3")?.focus({ preventScroll: true });
  }, [isEditing]);
  return (
    <section ref={section} className={s.section} aria-labelledby="fulfillment-title">
      <h3 id="fulfillment-title" tabIndex={-1}>
        How you receive your orders
      </h3>
      {fulfillment && (
        <div className={s.place}>
          <p>
            <strong>{formatPlace(fulfillment)}</strong>
          </p>
          <p className={s.quiet}>{formatPlaceNote(fulfillment)}</p>
          <p>
            {fulfillment.type === "delivery" && fulfillment.deliveryFee === 0 && profile.isWagonPassActive
              ? "Free with your wagon pass"
              : formatFee(fulfillment.deliveryFee)}
          </p>
        </div>
      )}
      {config.payments !== "offline" && (
        <p className={s.card}>
          <span>
            {paymentInfo ? `Automatic orders charge ${formatCard(paymentInfo)}` : "You have no saved card yet"}
          </span>
          <Button id="fulfillment-card" kind="link" onClick={() => openModal({ kind: "payment" }, "fulfillment-card")}>
            {paymentInfo ? "Change card" : "Save a card"}
          </Button>
        </p>
      )}
      {fulfillment?.problem && <Banner tone="warning">{fulfillment.problem.message}</Banner>}
      <p className={s.quiet}>
        Checkout starts with this, and automatic orders use it. When you order to another place, checkout offers to keep
        that one.
      </p>
      {isEditing ? (
        <Fields profile={profile} onSaved={() => setEditing(isOpen)} />
      ) : (
        <Button kind="outline" onClick={() => setEditing(true)}>
          Change where it goes
        </Button>
      )}
    </section>
  );
}

interface Values extends AddressDraft {
  type: "delivery" | "pickup";
  pickupPointId: number | null;
}

const valuesOf = ({ deliveryAddress, zipCode, fulfillment }: Customer): Values => ({
  ...(deliveryAddress ?? newAddress(zipCode)),
  type: fulfillment?.type ?? "delivery",
  pickupPointId: fulfillment && !fulfillment.problem ? (fulfillment.pickupPoint?.id ?? null) : null,
});

const addressKeys = Object.keys(emptyAddress) as AddressField[];

function Fields({ profile, onSaved }: { profile: Customer; onSaved: () => void }) {
  const change = useChangeProfile();
  const hub = useHub();
  const points = hub?.pickupPoints ?? [];
  const saved = valuesOf(profile);
  const draft = useFormDraft<Values>(`fulfillment:${profile.customerId}`, saved);
  const { put } = draft;
  const values = withPlace(draft.values, useZipPlace(draft.values.zipCode));
  const { type, pickupPointId } = values;
  const [isTouched, setTouched] = useState(false);
  const { running, error, attempt } = useAction();
  const problems: FormProblem[] = type === "delivery" ? addressProblems(values) : [];
  const isReady = type === "delivery" ? problems.length === 0 : points.some(({ id }) => id === pickupPointId);
  const isChanged =
    type !== saved.type ||
    (type === "delivery"
      ? addressKeys.some((key) => values[key].trim() !== saved[key])
      : pickupPointId !== saved.pickupPointId);

  const submit = () => {
    if (!isReady || !isChanged) return;
    void attempt("fulfillment", async () => {
      const { address, address2, city, state, zipCode, instructions } = values;
      const deliveryAddress = { address, address2, city, state: state as "IN", zipCode, instructions };
      const after = await change(type === "pickup" ? { pickupPointId } : { deliveryAddress, pickupPointId: null });
      draft.settle(values, valuesOf(after));
      toast({ text: screenMessages.profileUpdated });
      onSaved();
    });
  };
  return (
    <>
      <Form onSubmit={submit}>
        {(points.length > 0 || type === "pickup") && (
          <MethodRows
            value={type}
            onChange={(next) => put({ type: next })}
            points={points}
            fee={profile.isWagonPassActive ? "Free" : hub && formatMoney(hub.deliveryFee)}
          />
        )}
        {type === "pickup" ? (
          <PointRows value={pickupPointId} onChange={(id) => put({ pickupPointId: id })} points={points} />
        ) : (
          <>
            <AddressFields
              value={values}
              onChange={(typed) => {
                setTouched(true);
                put(typed);
              }}
              problems={isTouched ? problems : []}
            />
            <DoorNotice zipCode={values.zipCode} />
          </>
        )}
        <Button type="submit" kind="outline" disabled={!isReady || !isChanged} busy={running !== null && "Saving…"}>
          Update
        </Button>
      </Form>
      {error && <AlertBox>{error}</AlertBox>}
    </>
  );
}
