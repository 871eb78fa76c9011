import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { useState } from "react";

import * as t from "#messages/customers";

import { type Shortcut, useShortcuts } from "../shell/shortcuts.ts";
import type { Customer } from "./api.ts";
import { CreditForm } from "./credit-form.tsx";
import { DeleteForm } from "./delete-form.tsx";
import { NoteForm } from "./note-form.tsx";
import { ResumeForm } from "./resume-form.tsx";
import { useExport } from "./use-export.ts";
import { panelTitleId } from "./use-list-panel.ts";
import { usePause } from "./use-pause.ts";

import s from "./customers.module.css";

/** The forms in the place of the verbs, by the verb that opens them. */
const forms = { credit: CreditForm, resume: ResumeForm, note: NoteForm, delete: DeleteForm };
type FormName = keyof typeof forms;

const buttonId = (form: FormName): string => `customer-verb-${form}`;

/** What can be done for a person, each with its key; a form in their place. */
export function CustomerVerbs({ customer }: { customer: Customer }) {
  const { id, can, autoCheckout, deletedAt } = customer;
  const [form, setForm] = useState<FormName | null>(null);
  const [isMore, setMore] = useState(false);
  const pause = usePause(customer);
  const data = useExport(customer);
  const isThere = deletedAt === null;
  const canPause = can.skip && isThere;
  const isOff = autoCheckout === "off";
  const pauseOrResume = () => {
    if (isOff) setForm("resume");
    else pause.put("off");
  };
  const verbs: (Shortcut | false)[] =
    form !== null || !isThere
      ? []
      : [
          can.grant && { keys: "c", label: t.verbCredit, run: () => setForm("credit") },
          canPause && { keys: "p", label: isOff ? t.verbResume : t.verbPause, run: pauseOrResume },
          { keys: "n", label: t.verbNote, run: () => setForm("note") },
        ];
  useShortcuts(verbs.filter((verb) => verb !== false));
  // An open form outlasts the account, with what was typed and why it was refused; that which deletes it is done.
  if (form !== null && (isThere || form !== "delete")) {
    const FormOf = forms[form];
    return (
      <FormOf
        customer={customer}
        onClose={() => {
          setForm(null);
          // Its button may be gone by then: the focus is on the title of the panel.
          requestAnimationFrame(() =>
            (document.getElementById(buttonId(form)) ?? document.getElementById(panelTitleId(String(id))))?.focus(),
          );
        }}
      />
    );
  }
  if (!isThere) return null;
  const failure = pause.failure ?? data.failure;
  return (
    <div className={s.verbs} role="group" aria-label={t.verbs}>
      {failure !== null && (
        <p className={s.failure} role="alert">
          {failure}
        </p>
      )}
      <Compact>
        {can.grant && (
          <Button icon="gift" id={buttonId("credit")} onClick={() => setForm("credit")}>
            {t.verbCredit}
            <Kbd keys="C" inButton />
          </Button>
        )}
        {canPause && (
          <Button kind="outline" id={buttonId("resume")} busy={pause.isPending && t.pausing} onClick={pauseOrResume}>
            {isOff ? t.verbResume : t.verbPause}
            <Kbd keys="P" inButton />
          </Button>
        )}
        <Button kind="outline" id={buttonId("note")} onClick={() => setForm("note")}>
          {t.verbNote}
          <Kbd keys="N" inButton />
        </Button>
        {(can.export || can.delete) && (
          <Button kind="quiet" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
            {t.verbMore}
          </Button>
        )}
        {isMore && can.export && (
          <Button kind="outline" busy={data.isExporting && t.exporting} onClick={data.export}>
            {t.verbExport}
          </Button>
        )}
        {isMore && can.delete && (
          <Button kind="danger" id={buttonId("delete")} onClick={() => setForm("delete")}>
            {t.verbDelete}
          </Button>
        )}
      </Compact>
    </div>
  );
}
