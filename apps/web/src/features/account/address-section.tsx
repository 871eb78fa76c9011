import type { Customer } from "@marketday/contracts/account";
import { Button } from "@marketday/ui/button.tsx";
import { Form, type FormProblem } from "@marketday/ui/form.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useState } from "react";

import { screenMessages } from "../../lib/screen-messages.ts";
import { useAction } from "../../lib/use-action.ts";
import { useFormDraft } from "../../lib/use-form-draft.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import DoorNotice from "../hubs/door-notice.tsx";
import { AddressFields } from "./address-fields.tsx";
import { type AddressDraft, type AddressField, addressProblems, emptyAddress } from "./address.ts";
import { useChangeProfile } from "./api.ts";

import s from "./profile.module.css";

const fields = Object.keys(emptyAddress) as AddressField[];

/** Where deliveries go (spec §5 Address form): Update works once every field is right. */
export function AddressSection({ profile }: { profile: Customer }) {
  const change = useChangeProfile();
  const saved = profile.deliveryAddress ?? emptyAddress;
  const draft = useFormDraft<AddressDraft>(`address:${profile.customerId}`, saved);
  const { values, put } = draft;
  const [isTouched, setTouched] = useState(false);
  const { running, error, attempt } = useAction();
  const problems: FormProblem[] = addressProblems(values);
  const isChanged = fields.some((field) => values[field].trim() !== saved[field]);

  const submit = () => {
    if (problems.length > 0 || !isChanged) return;
    void attempt("address", async () => {
      const { address, address2, city, state, zipCode, instructions } = values;
      const { deliveryAddress } = await change({
        deliveryAddress: { address, address2, city, state: state as "IN", zipCode, instructions },
      });
      draft.settle(values, deliveryAddress ?? emptyAddress);
      toast({ text: screenMessages.profileUpdated });
    });
  };
  return (
    <section className={s.section} aria-labelledby="address-title">
      <h3 id="address-title">Delivery address</h3>
      <Form onSubmit={submit}>
        <AddressFields
          value={values}
          onChange={(typed) => {
            setTouched(true);
            put(typed);
          }}
          problems={isTouched ? problems : []}
        />
        <DoorNotice zipCode={values.zipCode} />
        <Button
          type="submit"
          kind="outline"
          disabled={problems.length > 0 || !isChanged}
          busy={running !== null && "Saving…"}
        >
          Update
        </Button>
      </Form>
      {error && <AlertBox>{error}</AlertBox>}
    </section>
  );
}
