import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/calls";
import { CONTACT_MESSAGE_MAX, NAME_MAX } from "@marketday/domain/limits";
import { cleanText } from "@marketday/domain/text";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { CharacterCount, tooLong } from "@marketday/ui/character-count.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { TextArea, TextInput } from "@marketday/ui/text-input.tsx";
import { type ChangeEvent, useRef, useState } from "react";

import { call } from "../../lib/api.ts";
import { config } from "../../lib/boot.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { screenMessages } from "../../lib/screen-messages.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { proofOfWork } from "./proof.ts";
import { type ContactField, contactIds, contactProblems, type ContactValues, emptyContact, isFilled } from "./rules.ts";

import s from "./contact-form.module.css";

const TurnstileBox = lazyWithRetry(() => import("./turnstile-box.tsx"));

interface ContactFormProps {
  /** What is known about the writer. */
  about?: Partial<ContactValues>;
  /** Stands there to begin with, when nothing was typed before: a search that found nothing. */
  question?: string;
}

/**
 * Writes to the market (spec §5 Contact form, §7.11). Needs no router and no query client, so that a frame shows it too. The bot
 * check runs while typing; a status of 200 or 400 is sent, as the spec has it.
 */
export function ContactForm({ about, question }: ContactFormProps) {
  const first: ContactValues = { ...emptyContact, ...about };
  const { values: typed, put, clear } = useFormDraft("contact", first);
  /** The question that was deleted from the field, or sent. */
  const [done, setDone] = useState<string | null>(null);
  // Beside the draft: what was typed never gives way to another search.
  const values = { ...typed, message: typed.message || (question !== undefined && question !== done ? question : "") };
  const [isSent, setSent] = useState(false);
  const [turnstile, setTurnstile] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  const proof = useRef<ReturnType<typeof proofOfWork>>(null);
  const {
    running,
    error,
    problems,
    field: tied,
    submit,
  } = useForm({ ids: contactIds, problems: contactProblems(values) });
  const siteKey = config.turnstileSiteKey;
  const prover = () => (proof.current ??= proofOfWork());
  const ready = isFilled(values) && (siteKey === null || turnstile !== null);

  const send = async () => {
    const token = turnstile ?? (await prover().token());
    try {
      await call(calls.contactUs, { body: { ...values, token } });
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 400) throw failure;
    } finally {
      // Whether it was received is not certain: the next message gets a new proof.
      prover().spent();
      setTurnstile(null);
      setTurn((before) => before + 1);
    }
    clear();
    setDone(question ?? null);
    setSent(true);
  };
  const bind = (field: ContactField) => ({
    value: values[field],
    readOnly: running !== null,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setSent(false);
      if (field === "message" && event.target.value === "") setDone(question ?? null);
      put({ [field]: event.target.value });
    },
  });
  const over = cleanText(values.message).length - CONTACT_MESSAGE_MAX;

  return (
    <div className={s.contact} onFocus={siteKey === null ? () => prover().begin() : undefined}>
      <Form onSubmit={() => ready && void submit(send, () => screenMessages.contactFailed)} problems={problems}>
        <div className={s.pair}>
          <Field label="First name" {...tied("firstName")}>
            <TextInput autoComplete="given-name" enterKeyHint="next" maxLength={NAME_MAX} {...bind("firstName")} />
          </Field>
          <Field label="Last name" {...tied("lastName")}>
            <TextInput autoComplete="family-name" enterKeyHint="next" maxLength={NAME_MAX} {...bind("lastName")} />
          </Field>
        </div>
        <Field label="Email" {...tied("emailAddress")}>
          <TextInput
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="next"
            maxLength={254}
            {...bind("emailAddress")}
          />
        </Field>
        <div className={s.pair}>
          <Field label="Zip code" {...tied("zipCode")}>
            <TextInput autoComplete="postal-code" enterKeyHint="next" maxLength={20} {...bind("zipCode")} />
          </Field>
          <Field label="Phone (optional)" {...tied("phoneNumber")}>
            <TextInput
              type="tel"
              inputMode="tel"
              autoComplete="tel"
              enterKeyHint="next"
              maxLength={30}
              {...bind("phoneNumber")}
            />
          </Field>
        </div>
        <Field
          label="Message"
          id={contactIds.message}
          error={tooLong(over) ?? tied("message").error}
          aside={<CharacterCount length={values.message.length} max={CONTACT_MESSAGE_MAX} />}
        >
          <TextArea rows={5} {...bind("message")} />
        </Field>
        {siteKey !== null && (
          <AsyncBoundary failed="The check that you’re a person didn’t load.">
            <TurnstileBox key={turn} siteKey={siteKey} onToken={setTurnstile} />
          </AsyncBoundary>
        )}
        {error && <AlertBox>{error}</AlertBox>}
        {isSent && (
          <Banner tone="other" role="status">
            {screenMessages.contactSent}
          </Banner>
        )}
        <div>
          <Button type="submit" size="lg" disabled={!ready} busy={running !== null && "Sending…"}>
            Send message
          </Button>
        </div>
      </Form>
    </div>
  );
}
