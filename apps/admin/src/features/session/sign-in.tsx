import { marketNow } from "@marketday/client/clock.ts";
import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useAction } from "@marketday/client/forms/use-action.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { Me } from "@marketday/contracts/admin/session";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { type ReactNode, useEffect, useRef, useState } from "react";

import * as t from "#messages/session";

import { call } from "../../lib/api.ts";
import { AlertBox } from "./alert-box.tsx";
import { AppCodeField, CurrentPasswordField, EmailField, isAppCode } from "./credential-fields.tsx";
import { forgetPerson, knownPerson, rememberPerson } from "./known-person.ts";
import { LostPasskey } from "./lost-passkey.tsx";
import { browserHasPasskeys, proveWithPasskey } from "./passkeys.ts";
import { PersonCard } from "./person-card.tsx";

import s from "./sign-in.module.css";

type Way = "passkey" | "password" | "recovery" | "lost";

interface SignInProps {
  /** Of the server: its address is https or localhost. */
  passkeysWork: boolean;
  /** The session has begun. Until what it returns is settled, the button stays busy. */
  onSignedIn: (me: Me) => void | Promise<void>;
  /** The heading where it is shown: an h1 on a page, a `DialogTitle` in a dialog. */
  heading: (title: string) => ReactNode;
}

const values0 = { email: "", password: "", code: "", recoveryCode: "" };
const ids = { ...controlIds("sign-in", values0) };

/**
 * Signing in, on a page or over one: with a passkey, a recovery code, or a password and a code of an authenticator app. What was typed
 * stays when another way is chosen, and after a failure.
 */
export function SignIn({ passkeysWork, onSignedIn, heading }: SignInProps) {
  const hasPasskeys = passkeysWork && browserHasPasskeys();
  const [way, setWay] = useState<Way>(hasPasskeys ? "passkey" : "password");
  const [person, setPerson] = useState(knownPerson);
  const [values, setValues] = useState({ ...values0, email: person?.email ?? "" });
  const put = (change: Partial<typeof values>) => setValues((before) => ({ ...before, ...change }));
  useUnsaved(values.password !== "");

  // What was pressed is gone: the focus goes to what there is to do now.
  const content = useRef<HTMLDivElement>(null);
  const shown = useRef(way);
  useEffect(() => {
    if (shown.current !== way) focusFirst(content.current);
    shown.current = way;
  }, [way]);

  const finish = async (me: Me) => {
    rememberPerson(me, marketNow());
    await onSignedIn(me);
  };
  const shared = { values, put, finish };
  return (
    <div className={s.signIn}>
      {heading(way === "lost" ? t.lostTitle : t.signInTitle)}
      {way === "passkey" ? (
        <p className={s.lead}>{t.passkeyLead}</p>
      ) : way === "password" ? (
        <p className={s.lead}>
          {!passkeysWork ? t.otherWaysLead : !hasPasskeys ? t.noPasskeysHere : t.passwordLead}
          {!passkeysWork && <> {t.passwordLead}</>}
        </p>
      ) : (
        way === "recovery" && <p className={s.lead}>{t.recoveryLead}</p>
      )}
      {person && way !== "lost" && (
        <PersonCard
          person={person}
          onForget={() => {
            forgetPerson();
            setPerson(null);
            if (values.email === person.email) put({ email: "" });
            focusFirst(content.current);
          }}
        />
      )}
      <div ref={content} className={s.content}>
        {way === "passkey" && <ByPasskey finish={finish} />}
        {way === "password" && <ByPassword {...shared} />}
        {way === "recovery" && <ByRecoveryCode {...shared} />}
        {way === "lost" && <LostPasskey email={values.email} onRecoveryCode={() => setWay("recovery")} />}
      </div>
      <nav className={s.ways} aria-label={t.otherWays}>
        {hasPasskeys && way !== "passkey" && (
          <Button kind="link" onClick={() => setWay("passkey")}>
            {t.byPasskey}
          </Button>
        )}
        {way !== "recovery" && (
          <Button kind="link" onClick={() => setWay("recovery")}>
            {t.byRecoveryCode}
          </Button>
        )}
        {way !== "password" && (
          <Button kind="link" onClick={() => setWay("password")}>
            {t.byPassword}
          </Button>
        )}
        {way !== "lost" && (
          <Button kind="link" onClick={() => setWay("lost")}>
            {t.lostPasskey}
          </Button>
        )}
      </nav>
    </div>
  );
}

/** Focuses the first control of a part of the page. */
const focusFirst = (part: HTMLElement | null) => part?.querySelector<HTMLElement>("input, button")?.focus();

interface WayProps {
  values: typeof values0;
  put: (change: Partial<typeof values0>) => void;
  finish: (me: Me) => Promise<void>;
}

function ByPasskey({ finish }: Pick<WayProps, "finish">) {
  const { running, error, attempt } = useAction();
  const signIn = async () => {
    const proof = await proveWithPasskey(await call(calls.startPasskeySignIn));
    if (proof) await finish(await call(calls.signInWithPasskey, { body: { proof } }));
  };
  return (
    <>
      <Button
        size="lg"
        wide
        icon="key"
        data-autofocus=""
        busy={running !== null && t.signingIn}
        onClick={() => void attempt("passkey", signIn)}
      >
        {t.signInByPasskey}
      </Button>
      {error && <AlertBox key={error}>{error}</AlertBox>}
    </>
  );
}

function ByPassword({ values, put, finish }: WayProps) {
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, {
      email: values.email.trim() === "" && t.enterEmail,
      password: values.password === "" && t.enterPassword,
      code: !isAppCode(values.code) && t.enterSixDigits,
    }),
  });
  const signIn = async () => {
    const { email, password, code } = values;
    const me = await call(calls.signInWithPassword, { body: { email, password, code } });
    put({ password: "", code: "" });
    await finish(me);
  };
  return (
    <Form onSubmit={() => void submit(signIn)} problems={problems}>
      <EmailField
        field={field("email")}
        value={values.email}
        onChange={(email) => put({ email })}
        isFirst={values.email === ""}
      />
      <CurrentPasswordField
        field={field("password")}
        value={values.password}
        onChange={(password) => put({ password })}
      />
      <AppCodeField field={field("code")} value={values.code} onChange={(code) => put({ code })} />
      <Button type="submit" size="lg" wide busy={running !== null && t.signingIn}>
        {t.signIn}
      </Button>
      {error && <AlertBox key={error}>{error}</AlertBox>}
    </Form>
  );
}

const recoveryIds = { email: ids.email, code: ids.recoveryCode };

function ByRecoveryCode({ values, put, finish }: WayProps) {
  const { running, error, problems, field, submit } = useForm({
    ids: recoveryIds,
    problems: problemsOf(recoveryIds, {
      email: values.email.trim() === "" && t.enterEmail,
      code: values.recoveryCode.trim() === "" && t.enterRecoveryCode,
    }),
  });
  const signIn = async () => {
    const { email, recoveryCode: code } = values;
    const me = await call(calls.signInWithRecoveryCode, { body: { email, code } });
    put({ recoveryCode: "" });
    await finish(me);
  };
  return (
    <Form onSubmit={() => void submit(signIn)} problems={problems}>
      <EmailField
        field={field("email")}
        value={values.email}
        onChange={(email) => put({ email })}
        isFirst={values.email === ""}
      />
      <Field label={t.recoveryCode} {...field("code")}>
        <TextInput
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={60}
          value={values.recoveryCode}
          onChange={(event) => put({ recoveryCode: event.target.value })}
        />
      </Field>
      <Button type="submit" size="lg" wide busy={running !== null && t.signingIn}>
        {t.signIn}
      </Button>
      {error && <AlertBox key={error}>{error}</AlertBox>}
    </Form>
  );
}
