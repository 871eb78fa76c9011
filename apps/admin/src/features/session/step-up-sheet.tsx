import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useAction } from "@marketday/client/forms/use-action.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { Me } from "@marketday/contracts/admin/session";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/session";

import { call } from "../../lib/api.ts";
import { AlertBox } from "./alert-box.tsx";
import { sessionQuery } from "./api.ts";
import { AppCodeField, CurrentPasswordField, isAppCode } from "./credential-fields.tsx";
import { browserHasPasskeys, proveWithPasskey } from "./passkeys.ts";

import s from "./step-up-sheet.module.css";

/** What a person confirms: an action whose effect leaves the market, or that changes who may do what. */
export interface StepUpSubject {
  /** Verb and object: "Invite Ben Ortiz". */
  title: string;
  /** What happens, in one sentence. */
  effect: string;
  /** The button's verb: "Invite". */
  action: string;
  /** As on a receipt. */
  facts?: readonly { label: string; value: string }[];
}

interface StepUpSheetProps {
  subject: StepUpSubject;
  onConfirmed: () => void;
  onClose: () => void;
}

/** Confirms with a passkey, or a password and a code, that the person who is signed in is still there. */
export function StepUpSheet({ subject, onConfirmed, onClose }: StepUpSheetProps) {
  const client = useQueryClient();
  // Which ways this person has. Each try requests a challenge of its time.
  const {
    data: ways,
    isError,
    refetch,
  } = useQuery({ queryKey: ["step-up"], queryFn: () => call(calls.startStepUp), gcTime: 0, staleTime: 0 });
  const [prefersPassword, setPrefersPassword] = useState(false);
  const canPasskey = ways !== undefined && ways.passkey !== null && browserHasPasskeys();
  const canPassword = ways?.hasPassword ?? false;
  const byPassword = canPassword && (prefersPassword || !canPasskey);
  const confirm = (me: Me) => {
    client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, me });
    onConfirmed();
  };
  return (
    <Dialog onClose={onClose}>
      <DialogTitle>{subject.title}</DialogTitle>
      <DialogBody>
        <div className={s.sheet}>
          <p className={s.effect}>{subject.effect}</p>
          {subject.facts && (
            <dl className={s.receipt}>
              {subject.facts.map(({ label, value }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
          {isError ? (
            <ErrorState message={t.confirmLoadFailed} onRetry={() => void refetch()} />
          ) : !ways ? (
            <Skeleton label={t.confirmLoading}>
              <SkeletonPart kind="row" />
            </Skeleton>
          ) : byPassword ? (
            <WithPassword action={subject.action} onConfirmed={confirm} />
          ) : canPasskey ? (
            <WithPasskey action={subject.action} onConfirmed={confirm} />
          ) : (
            <AlertBox>{t.confirmImpossible}</AlertBox>
          )}
          {canPasskey && canPassword && (
            <Button kind="link" wide onClick={() => setPrefersPassword(!prefersPassword)}>
              {byPassword ? t.confirmWithPasskey : t.confirmWithPassword}
            </Button>
          )}
          <Button kind="quiet" wide onClick={onClose}>
            {t.notNow}
          </Button>
          <p className={s.note}>
            <Icon name="lock" size="sm" />
            <span>{t.confirmNote}</span>
          </p>
        </div>
      </DialogBody>
    </Dialog>
  );
}

interface WayProps {
  action: string;
  onConfirmed: (me: Me) => void;
}

function WithPasskey({ action, onConfirmed }: WayProps) {
  const { running, error, attempt } = useAction();
  const confirm = async () => {
    const { passkey } = await call(calls.startStepUp);
    const proof = passkey && (await proveWithPasskey(passkey));
    if (proof) onConfirmed(await call(calls.stepUp, { body: { proof } }));
  };
  return (
    <>
      <Button
        size="lg"
        wide
        icon="key"
        busy={running !== null && t.confirming}
        onClick={() => void attempt("confirm", confirm)}
      >
        {action}
      </Button>
      {error && <AlertBox key={error}>{error}</AlertBox>}
    </>
  );
}

const values0 = { password: "", code: "" };
const ids = controlIds("step-up", values0);

function WithPassword({ action, onConfirmed }: WayProps) {
  const [values, setValues] = useState(values0);
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, {
      password: values.password === "" && t.enterPassword,
      code: !isAppCode(values.code) && t.enterSixDigits,
    }),
  });
  const confirm = async () => onConfirmed(await call(calls.stepUp, { body: values }));
  return (
    <Form onSubmit={() => void submit(confirm)} problems={problems}>
      <CurrentPasswordField
        field={field("password")}
        value={values.password}
        onChange={(password) => setValues((before) => ({ ...before, password }))}
      />
      <AppCodeField
        field={field("code")}
        value={values.code}
        onChange={(code) => setValues((before) => ({ ...before, code }))}
      />
      <Button type="submit" size="lg" wide busy={running !== null && t.confirming}>
        {action}
      </Button>
      {error && <AlertBox key={error}>{error}</AlertBox>}
    </Form>
  );
}
