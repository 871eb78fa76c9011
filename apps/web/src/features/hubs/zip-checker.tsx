import { useAction } from "@marketday/client/forms/use-action.ts";
import type { Hub } from "@marketday/contracts/hubs";
import { ZIP_LENGTH, zipDigits } from "@marketday/domain/limits";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button, ButtonLink } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { type FormEvent, useState } from "react";

import { paths } from "../../navigation/paths.ts";
import { knownZip } from "../account/known-zip.ts";
import { useShopper } from "../session/api.ts";
import { hubsAt } from "./area-api.ts";
import { type ZipAnswer, zipAnswer } from "./format.ts";

import s from "./zip-checker.module.css";

interface ZipCheckerProps {
  hub: Pick<Hub, "id" | "name" | "deliveryDay">;
  /** Hears the zip the market comes to; null for any other. */
  onAnswer: (zip: string | null) => void;
}

/** "Do you come to my zip?" The server answers, for the boundary may hold zips that are on no list. */
export function ZipChecker({ hub, onAnswer }: ZipCheckerProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const known = knownZip(useShopper().profile);
  const zip = typed ?? known;
  const [short, setShort] = useState(false);
  const [answer, setAnswer] = useState<ZipAnswer | null>(null);
  const { running, error, attempt } = useAction();

  const ask = (event: FormEvent) => {
    event.preventDefault();
    setShort(zip.length < ZIP_LENGTH);
    if (zip.length < ZIP_LENGTH) return;
    void attempt("zip", async () => {
      const found = zipAnswer(zip, await hubsAt(zip), hub);
      setAnswer(found);
      onAnswer(found.comes ? zip : null);
    });
  };
  return (
    <section className={s.checker} aria-labelledby="zip-checker">
      <h2 id="zip-checker">Does it deliver to you?</h2>
      <form noValidate onSubmit={ask}>
        <Field label="Your zip code" error={short ? "Enter a 5-digit zip code" : error}>
          <div className={s.row}>
            <TextInput
              inputMode="numeric"
              autoComplete="postal-code"
              enterKeyHint="go"
              value={zip}
              onChange={(event) => {
                setTyped(zipDigits(event.target.value));
                setShort(false);
                setAnswer(null);
              }}
            />
            <Button type="submit" kind="outline" busy={running !== null && "Checking…"}>
              Check
            </Button>
          </div>
        </Field>
      </form>
      <div role="status">
        {answer && (
          <Banner
            tone={answer.comes ? "other" : "information"}
            title={answer.text}
            action={
              answer.other && (
                <ButtonLink kind="link" to={paths.hub(answer.other.id)}>
                  Details of {answer.other.name}
                </ButtonLink>
              )
            }
          />
        )}
      </div>
    </section>
  );
}
