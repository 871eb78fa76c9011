import { useForm } from "@marketday/client/forms/use-form.ts";
import type { Customer } from "@marketday/contracts/account";
import { EMAIL_MAX, HANDLE_MAX, NAME_MAX } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { DialogBody, DialogFoot } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { PasswordInput, TextInput } from "@marketday/ui/text-input.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { type ChangeEvent, type InputHTMLAttributes, type ReactNode, useState } from "react";

import { useFormDraft } from "../../lib/drafts.ts";
import { screenMessages } from "../../lib/screen-messages.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { useChangeProfile } from "./api.ts";
import { changesOf, detailIds, type Details, detailsOf, detailsProblems } from "./details.ts";

import s from "./profile.module.css";

type TextField = "handle" | "firstName" | "lastName" | "email" | "phone";
type Choice = Exclude<keyof Details, TextField | number>;

const likes: [Choice, string][] = [
  ["isGlutenFree", "I eat gluten free"],
  ["isVegan", "I eat vegan"],
];
const news: [Choice, string][] = [
  ["subscribedAllMessages", "Remind me of my orders, and when something is back"],
  ["subscribedMarketingEmails", "Email me market news"],
  ["subscribedMarketingSms", "Text me market news"],
];

interface DetailsSectionProps {
  profile: Customer;
  title: ReactNode;
  /** The sections below, each with its own button. */
  children: ReactNode;
}

/** Name, contact and preferences; Save is sticky below and only shown when something changed and is valid. */
export function DetailsSection({ profile, title, children }: DetailsSectionProps) {
  const change = useChangeProfile();
  const draft = useFormDraft<Details>(`details:${profile.customerId}`, detailsOf(profile));
  const { values, put } = draft;
  const [left, setLeft] = useState<Partial<Record<string, true>>>({});
  const wrong = detailsProblems(values);
  const { running, error, problems, field, submit } = useForm({ ids: detailIds, problems: wrong });
  const changes = changesOf(profile, values);
  // Another email needs the password; it is kept nowhere and gone once it was used.
  const [password, setPassword] = useState("");
  const needsPassword = changes.email !== undefined;
  const isReady = Object.keys(changes).length > 0 && wrong.length === 0 && (!needsPassword || password !== "");

  const save = () => {
    if (!isReady) return;
    void submit(async () => {
      const after = await change({ ...changes, ...(needsPassword && { currentPassword: password }) });
      setPassword("");
      draft.settle(values, detailsOf(after));
      toast({ text: screenMessages.profileUpdated });
    });
  };
  const text = (
    name: TextField,
    label: string,
    max: number,
    rest: InputHTMLAttributes<HTMLInputElement> = {},
    hint?: string,
  ) => {
    const { id, error } = field(name);
    // Also before a submit, once the field was left.
    const problem = left[name] && wrong.find((one) => one.field === id)?.message;
    return (
      <Field label={label} id={id} error={problem || error} {...(hint && { hint })}>
        <TextInput
          maxLength={max}
          enterKeyHint="next"
          value={values[name]}
          onChange={(event: ChangeEvent<HTMLInputElement>) => put({ [name]: event.target.value })}
          onBlur={() => setLeft((before) => ({ ...before, [name]: true }))}
          {...rest}
        />
      </Field>
    );
  };
  const boxes = (legend: string, choices: typeof likes) => (
    <fieldset className={s.boxes}>
      <legend>{legend}</legend>
      {choices.map(([name, words]) => (
        <Checkbox
          key={name}
          checked={values[name] === true}
          onChange={(event) => put({ [name]: event.target.checked })}
        >
          {words}
        </Checkbox>
      ))}
    </fieldset>
  );

  return (
    <>
      <DialogBody>
        <div className={s.profile}>
          {title}
          <section className={s.section} aria-label="About you">
            <Form onSubmit={save} problems={problems}>
              <div className={s.pair}>
                {text("firstName", "First name", NAME_MAX, { autoComplete: "given-name" })}
                {text("lastName", "Last name", NAME_MAX, { autoComplete: "family-name" })}
              </div>
              {text("handle", "Username", HANDLE_MAX, { autoComplete: "nickname" }, "What we'll call you")}
              {text("email", "Email", EMAIL_MAX, {
                type: "email",
                inputMode: "email",
                autoComplete: "email",
                autoCapitalize: "none",
                spellCheck: false,
              })}
              {needsPassword && (
                <Field label="Password to change your email" {...field("currentPassword")}>
                  <PasswordInput
                    autoComplete="current-password"
                    enterKeyHint="done"
                    value={password}
                    onChange={(event: ChangeEvent<HTMLInputElement>) => setPassword(event.target.value)}
                  />
                </Field>
              )}
              {text("phone", "Phone (optional)", 30, { type: "tel", inputMode: "tel", autoComplete: "tel" })}
              {boxes("What you like to eat", likes)}
              {boxes("Messages", news)}
              {/* Enter in a field saves too; what can be seen is below. */}
              <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
            </Form>
            {error && <AlertBox>{error}</AlertBox>}
          </section>
          {children}
        </div>
      </DialogBody>
      {isReady && (
        <DialogFoot>
          <Button size="lg" wide onClick={save} busy={running !== null && "Saving…"}>
            Save
          </Button>
        </DialogFoot>
      )}
    </>
  );
}
