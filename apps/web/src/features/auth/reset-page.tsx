import { useAction } from "@marketday/client/forms/use-action.ts";
import * as calls from "@marketday/contracts/calls";
import { PASSWORD_RESET_REDIRECT_MS } from "@marketday/domain/limits";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { Panel } from "@marketday/ui/panel.tsx";
import { useEffect, useRef, useState } from "react";
import { useParams } from "react-router";

import { call } from "../../lib/api.ts";
import { screenMessages } from "../../lib/screen-messages.ts";
import { removeItem, setItem, getItem } from "../../lib/storage.ts";
import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { AlertBox } from "./alert-box.tsx";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { isNewPassword } from "./reset-rules.ts";

import s from "./reset-page.module.css";

/** The link's token, in this tab alone: it leaves the address at once, for histories and shoulders (failures.md F20). */
const KEPT = "reset-token";

/** /password-reset/{jwt} (spec §2.1, §4): two fields, its three messages, and after success 4 s to the shop. */
export default function ResetPage() {
  useTitle("Choose a new password");
  const { jwt } = useParams();
  const [token] = useState(() => jwt ?? getItem<string>("session", KEPT));
  const [values, setValues] = useState({ password: "", confirm: "" });
  const [outcome, setOutcome] = useState<"expired" | "done" | null>(token === null ? "expired" : null);
  const { running, error, attempt } = useAction();
  const { navigate, openModal } = useNavigation();

  useEffect(() => {
    if (jwt === undefined) return;
    setItem("session", KEPT, jwt);
    void navigate(paths.passwordReset, { replace: true });
  }, [jwt, navigate]);
  useEffect(() => {
    if (outcome !== "done") return;
    const timer = setTimeout(() => location.assign(paths.root), PASSWORD_RESET_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  // The form is gone with the button that had the focus.
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outcome !== null && token !== null) result.current?.focus();
  }, [outcome, token]);

  const submit = () => {
    if (token === null || !isNewPassword(values)) return;
    void attempt("reset", async () => {
      const answer = await call(calls.resetPassword, { params: { token }, body: { password: values.password } });
      removeItem("session", KEPT);
      setValues({ password: "", confirm: "" });
      setOutcome(answer === true ? "done" : "expired");
    });
  };

  return (
    <div className={s.page}>
      <h1>Choose a new password</h1>
      <Panel>
        {outcome === "done" ? (
          <div ref={result} tabIndex={-1}>
            <Banner
              tone="other"
              role="status"
              title={screenMessages.passwordUpdated}
              action={
                <a className={s.link} href={paths.root}>
                  Go to the market
                </a>
              }
            >
              Every other browser was logged out.
            </Banner>
          </div>
        ) : outcome === "expired" ? (
          <div ref={result} tabIndex={-1} className={s.expired}>
            <Banner tone="warning" role="alert" title={screenMessages.resetExpired}>
              A link works once, within an hour. Only the newest one works.
            </Banner>
            <Button id="reset-again" onClick={() => openModal({ kind: "forgot" }, "reset-again")}>
              Send a new one
            </Button>
          </div>
        ) : (
          <Form onSubmit={submit}>
            <NewPasswordFields
              value={values}
              onChange={(change) => setValues((before) => ({ ...before, ...change }))}
            />
            <Button type="submit" size="lg" wide disabled={!isNewPassword(values)} busy={running !== null && "Saving…"}>
              Reset Password
            </Button>
            {error && <AlertBox>{error}</AlertBox>}
          </Form>
        )}
      </Panel>
    </div>
  );
}
