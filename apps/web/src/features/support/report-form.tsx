import { PROBLEM_MESSAGE_MAX } from "@marketday/domain/limits";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { CharacterCount } from "@marketday/ui/character-count.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { TextArea } from "@marketday/ui/text-input.tsx";
import { useEffect, useRef, useState } from "react";

import { useUnsaved } from "../../lib/unsaved-work.ts";
import { useAction } from "../../lib/use-action.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { sendReport } from "./api.ts";
import { type Photo, PhotoPicker } from "./photo-picker.tsx";

import s from "./report-form.module.css";

/** What went wrong with an order, in words and photos (docs/product.md §11). Needs no router and no query client. */
export function ReportForm({ orderId }: { orderId: number }) {
  const { text, write, clear } = useDraft(`problem-${orderId}`);
  const [photos, setPhotos] = useState<Photo[]>([]);
  useUnsaved(photos.length > 0);
  const [isSent, setSent] = useState(false);
  const { running, error, attempt } = useAction();
  const sent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSent) sent.current?.focus();
  }, [isSent]);
  const over = text.trim().length - PROBLEM_MESSAGE_MAX;
  const ready = text.trim() !== "" && over <= 0;
  const submit = () => {
    if (!ready || running) return;
    const run = async () => {
      const pictures = photos.map(({ blob }) => blob);
      await sendReport(orderId, text.trim(), pictures);
      clear();
      setPhotos([]);
      setSent(true);
    };
    void attempt("report", run);
  };
  if (isSent)
    return (
      <div ref={sent} tabIndex={-1} role="status" className={s.report}>
        <Banner tone="other" title="We have your report">
          Someone will look into it and email you.
        </Banner>
        <div>
          <Button kind="outline" onClick={() => setSent(false)}>
            Report something else about this order
          </Button>
        </div>
      </div>
    );
  return (
    <div className={s.report}>
      <Form onSubmit={submit}>
        <Field
          label="What went wrong?"
          hint="Which item, and what would make it right"
          error={over > 0 ? `${over} ${over === 1 ? "character" : "characters"} too many` : null}
          aside={<CharacterCount length={text.length} max={PROBLEM_MESSAGE_MAX} />}
        >
          <TextArea rows={5} value={text} readOnly={running !== null} onChange={(event) => write(event.target.value)} />
        </Field>
        <PhotoPicker photos={photos} disabled={running !== null} onChange={setPhotos} />
        {error && <AlertBox>{error}</AlertBox>}
        <div>
          <Button type="submit" size="lg" disabled={!ready} busy={running !== null && "Sending…"}>
            Send the report
          </Button>
        </div>
      </Form>
    </div>
  );
}
