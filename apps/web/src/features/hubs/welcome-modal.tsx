import { useAction } from "@marketday/client/forms/use-action.ts";
import { ApiError } from "@marketday/client/transport.ts";
import { REFERRAL_FRIEND_DISCOUNT, ZIP_LENGTH, zipDigits } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useState } from "react";

import { config } from "../../lib/boot.ts";
import { messages } from "../../lib/messages.ts";
import { isInApp } from "../../navigation/entry-params.ts";
import { OverlayLink, useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { createGuest, type Place, useAdoptCustomer, useShopper } from "../session/api.ts";
import { useSentBy } from "../welcome/sent-by.ts";
import { StepCount } from "../welcome/step-count.tsx";
import { locate } from "./locate.ts";

import s from "./welcome-modal.module.css";

/** "No hub there" has the spec's sentence, and so has everything else that yields no guest; a lost network its own. */
const wording = (error: unknown): string => {
  if (error instanceof ApiError) return error.isOffline || error.status === 429 ? error.message : messages.notSupported;
  return error instanceof Error ? error.message : messages.notSupported;
};

/** The first visit (spec §2.4 Welcome): where do you live? Or: who are you? */
export default function WelcomeModal({ onDone }: { onDone: () => void }) {
  const { hubId } = useShopper();
  const { hasModal, openModal, replaceWithModal } = useNavigation();
  const adopt = useAdoptCustomer();
  const [zip, setZip] = useState("");
  const { running, error, attempt } = useAction();
  const forced = hubId === null;
  const sentBy = useSentBy();
  const show = (kind: "login" | "register") => (forced ? openModal({ kind }) : replaceWithModal({ kind }));

  const enter = async (place: Place) => {
    const guest = await createGuest(place);
    await adopt(guest);
    if (guest.homeDelivery) toast({ text: guest.homeDelivery.note });
    onDone();
    if (!forced) return;
    // A referred visitor has a second step (spec §4).
    if (sentBy.by === "friend") openModal({ kind: "referral-step" });
    if (sentBy.by === "vendor")
      openModal({ kind: "email-capture", step: true, ...(sentBy.name !== null && { vendor: sentBy.name }) });
  };
  const browse = () => {
    if (zip.length === ZIP_LENGTH) void attempt("zip", () => enter({ zipCode: zip }), wording);
  };

  return (
    <DialogBody>
      <div className={s.welcome}>
        <div className={s.head}>
          {forced && sentBy.by !== "none" && <StepCount now={1} />}
          <DialogTitle>The online farmers market that delivers</DialogTitle>
          <p>Food from the farms around you, picked for your order and brought to your door once a week.</p>
          {forced && sentBy.by === "friend" && (
            <p>
              <strong>A friend sent you: ${REFERRAL_FRIEND_DISCOUNT / 100} off your first order.</strong>
            </p>
          )}
          {forced && sentBy.by === "vendor" && sentBy.name !== null && (
            <p>
              <strong>{sentBy.name} sent you. Find their stall, and all the others.</strong>
            </p>
          )}
        </div>

        <form
          className={s.guest}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            browse();
          }}
        >
          <h3>Shop as Guest</h3>
          <Field label="Zip code" error={error}>
            <div className={s.row}>
              <TextInput
                data-autofocus=""
                inputMode="numeric"
                autoComplete="postal-code"
                enterKeyHint="go"
                value={zip}
                onChange={(event) => setZip(zipDigits(event.target.value))}
              />
              <Button
                type="submit"
                disabled={zip.length !== ZIP_LENGTH}
                busy={running === "zip" && "Finding your market…"}
              >
                Browse
              </Button>
            </div>
          </Field>
          {!isInApp() && (
            <Button
              kind="link"
              icon="aim"
              busy={running === "place" && "Finding your market…"}
              onClick={() => void attempt("place", async () => enter(await locate()), wording)}
            >
              Use current location
            </Button>
          )}
        </form>

        {(hasModal("login") || (hasModal("register") && !forced)) && (
          <div className={s.accounts}>
            {hasModal("register") && !forced && (
              <section>
                <h3>New Customers</h3>
                <Button kind="outline" wide onClick={() => show("register")}>
                  Create Free Account
                </Button>
              </section>
            )}
            {hasModal("login") && (
              <section>
                <h3>Existing Customers</h3>
                <Button kind="outline" wide onClick={() => show("login")}>
                  Sign in
                </Button>
              </section>
            )}
          </div>
        )}
        <p className={s.help}>
          <OverlayLink to={paths.terms}>Terms of Service</OverlayLink> and{" "}
          <OverlayLink to={paths.privacy}>Privacy Policy</OverlayLink>
        </p>
        {config.supportEmail && (
          <p className={s.help}>
            Questions? <a href={`mailto:${config.supportEmail}`}>{config.supportEmail}</a>
            {config.supportPhone && (
              <>
                {" or "}
                <span className={s.phone}>{config.supportPhone}</span>
              </>
            )}
          </p>
        )}
      </div>
    </DialogBody>
  );
}
