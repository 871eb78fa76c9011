import { useAction } from "@marketday/client/forms/use-action.ts";
import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import type { Customer } from "@marketday/contracts/account";
import { ZIP_LENGTH, zipDigits } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { PasswordInput, TextInput } from "@marketday/ui/text-input.tsx";
import { type ChangeEvent, useId, useState } from "react";

import { messages } from "../../lib/messages.ts";
import { screenMessages } from "../../lib/screen-messages.ts";
import { isInApp } from "../../navigation/entry-params.ts";
import DoorNotice from "../hubs/door-notice.tsx";
import { locate } from "../hubs/locate.ts";
import { AlertBox } from "./alert-box.tsx";
import { register, zipAt } from "./api.ts";
import { authDraft } from "./draft.ts";
import { requirementsOf, type RegisterValues } from "./register-rules.ts";
import { RequirementChips } from "./requirement-chips.tsx";
import { useZipCheck } from "./use-zip-check.ts";
import { afterLogin } from "./wording.ts";

import s from "./auth.module.css";

interface RegisterFormProps {
  /** The zip the shopper browses with. */
  zipCode?: string | null | undefined;
  /** In a frame that goes on to something else: a known zip is no field, and the password, which can be shown, is typed once. */
  isBrief?: boolean;
  onDone: (customer: Customer) => Promise<void> | void;
  onOther?: () => void;
}

/**
 * Spec §2.4 Register: up to six fields, chips for what is missing, the zip checked for coverage as soon as it is whole, and for home
 * delivery.
 */
export default function RegisterForm({ zipCode, isBrief = false, onDone, onOther }: RegisterFormProps) {
  const [values, setValues] = useState<RegisterValues>(() => {
    const draft = authDraft.read();
    return { ...draft, zipCode: draft.zipCode || (zipCode ?? ""), password: "", confirm: "" };
  });
  const { running, error, attempt } = useAction();
  useUnsaved([values.firstName, values.lastName, values.email, values.password].some((text) => text !== ""));
  const chips = useId();
  const zip = useZipCheck(values.zipCode);
  const [zipField, setZipField] = useState(isBrief && values.zipCode.length === ZIP_LENGTH ? "hidden" : "shown");
  const requirements = requirementsOf(isBrief ? { ...values, confirm: values.password } : values);
  const ready = requirements.every(({ met }) => met) && zip !== "unsupported" && zip !== "checking";

  const put = (change: Partial<RegisterValues>) => {
    setValues((before) => ({ ...before, ...change }));
    authDraft.keep({ ...values, ...change });
  };
  const bind = (name: keyof RegisterValues) => ({
    value: values[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => put({ [name]: event.target.value }),
  });
  const submit = () => {
    if (!ready) return;
    void attempt("register", async () => {
      const customer = await register(values);
      authDraft.forget();
      await afterLogin(() => onDone(customer));
    });
  };

  return (
    <div className={s.form}>
      <Form onSubmit={submit}>
        <div className={s.pair}>
          <Field label="First name">
            <TextInput
              data-autofocus=""
              autoComplete="given-name"
              enterKeyHint="next"
              maxLength={100}
              {...bind("firstName")}
            />
          </Field>
          <Field label="Last name">
            <TextInput autoComplete="family-name" enterKeyHint="next" maxLength={100} {...bind("lastName")} />
          </Field>
        </div>
        <Field label="Email">
          <TextInput
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="next"
            maxLength={254}
            {...bind("email")}
          />
        </Field>
        {zipField !== "hidden" || zip === "unsupported" ? (
          <ZipField
            value={values.zipCode}
            isKnown={Boolean(zipCode)}
            isOpened={zipField === "opened"}
            unsupported={zip === "unsupported"}
            onChange={(zipCode) => {
              put({ zipCode });
              if (zipField === "hidden") setZipField("shown");
            }}
          />
        ) : (
          <p className={s.known}>
            <span>
              Zip code <strong>{values.zipCode}</strong>
            </span>
            <Button kind="link" aria-label="Change zip code" onClick={() => setZipField("opened")}>
              Change
            </Button>
          </p>
        )}
        <DoorNotice zipCode={values.zipCode} />
        <div className={isBrief ? undefined : s.pair}>
          <Field label="Password">
            <PasswordInput autoComplete="new-password" enterKeyHint={isBrief ? "go" : "next"} {...bind("password")} />
          </Field>
          {!isBrief && (
            <Field label="Confirm password">
              <PasswordInput autoComplete="new-password" enterKeyHint="go" {...bind("confirm")} />
            </Field>
          )}
        </div>
        <RequirementChips
          id={chips}
          // Two empty passwords are equal, but that is no news.
          requirements={requirements.filter(
            ({ id }) => id !== "match" || (!isBrief && (values.password !== "" || values.confirm !== "")),
          )}
        />
        <Button
          type="submit"
          size="lg"
          wide
          disabled={!ready}
          aria-describedby={chips}
          busy={running === "register" ? "Creating your account…" : zip === "checking" && "Checking your zip…"}
        >
          Create My Account
        </Button>
      </Form>
      {error && <AlertBox>{error}</AlertBox>}
      {onOther && (
        <p className={s.other}>
          Have an account?{" "}
          <Button kind="link" onClick={onOther}>
            Login
          </Button>
        </p>
      )}
    </div>
  );
}

/** For a field that replaces the button before it. */
const takeFocus = (field: HTMLInputElement | null) => field?.focus();

/** The zip, by hand or from where the browser is. */
function ZipField({
  value,
  isKnown,
  isOpened,
  unsupported,
  onChange,
}: {
  value: string;
  /** The session has one. */
  isKnown: boolean;
  /** In place of the button that was pressed: it takes the focus. */
  isOpened: boolean;
  unsupported: boolean;
  onChange: (zip: string) => void;
}) {
  const { running, error, attempt } = useAction();
  return (
    <Field label="Zip code" error={unsupported ? messages.notSupported : error}>
      <div className={s.zip}>
        <TextInput
          ref={isOpened ? takeFocus : undefined}
          inputMode="numeric"
          autoComplete="postal-code"
          enterKeyHint="next"
          value={value}
          onChange={(event) => onChange(zipDigits(event.target.value))}
        />
        {!isInApp() && (!isKnown || value.length !== ZIP_LENGTH) && (
          <Button
            kind="outline"
            icon="aim"
            busy={running !== null && "Locating…"}
            onClick={() => void attempt("place", async () => onChange(await zipAt(await locate())), placeWording)}
          >
            Use my location
          </Button>
        )}
      </div>
    </Field>
  );
}

/** The browser's refusals have the spec's sentences already; a place without a zip is one that failed. */
const placeWording = (error: unknown): string =>
  error instanceof Error && error.message === screenMessages.noGeolocation
    ? screenMessages.noGeolocation
    : screenMessages.locationFailed;
