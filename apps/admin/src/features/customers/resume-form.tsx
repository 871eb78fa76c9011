import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { useEffect, useRef, useState } from "react";

import * as t from "#messages/customers";

import { AlertBox } from "../session/alert-box.tsx";
import type { Customer } from "./api.ts";
import { PanelForm } from "./panel-form.tsx";
import { usePause } from "./use-pause.ts";

import s from "./customers.module.css";

type Choice = Exclude<Customer["autoCheckout"], "off">;

/** Resumes automatic orders: the market does not know what of the two they had before. */
export function ResumeForm({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const [choice, setChoice] = useState<Choice>("subscriptions");
  const { put, isPending, failure } = usePause(customer, onClose);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>("input:checked")?.focus(), []);
  return (
    <PanelForm id="customer-resume-title" title={t.resumeForm} onClose={onClose}>
      <div ref={box}>
        <RadioChips<Choice>
          legend={t.resumeChoice}
          chips={[
            { value: "subscriptions", label: t.automaticWords.subscriptions },
            { value: "cart", label: t.automaticWords.cart },
          ]}
          value={choice}
          onChange={setChoice}
        />
      </div>
      {failure && <AlertBox key={failure}>{failure}</AlertBox>}
      <div className={s.buttons}>
        <Compact>
          <Button busy={isPending && t.resuming} onClick={() => put(choice)}>
            {t.resume}
          </Button>
          <Button kind="outline" onClick={onClose}>
            {t.cancel}
          </Button>
        </Compact>
      </div>
    </PanelForm>
  );
}
