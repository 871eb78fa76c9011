import { useAction } from "@marketday/client/forms/use-action.ts";
import type { Customer } from "@marketday/contracts/account";
import type { Order } from "@marketday/contracts/orders";
import type { ReportedItem } from "@marketday/contracts/problems";
import { PROBLEM_MESSAGE_MAX } from "@marketday/domain/limits";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { CharacterCount, tooLong } from "@marketday/ui/character-count.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { TextArea } from "@marketday/ui/text-input.tsx";
import { useEffect, useMemo, useRef, useState } from "react";

import { useFormDraft } from "../../lib/drafts.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { sendReport } from "./api.ts";
import { PhotoPicker } from "./photo-picker.tsx";
import { ReportItems } from "./report-items.tsx";
import { reportRows, tickedRows } from "./rows.ts";
import { usePhotoDraft } from "./use-photo-draft.ts";

import s from "./report-form.module.css";

interface ReportFormProps {
  order: Pick<Order, "id" | "items" | "addOns">;
  customerId: Customer["customerId"];
}

const empty: { message: string; items: ReportedItem[] } = { message: "", items: [] };

/** What went wrong with an order: its items, words and photos (docs/product.md §11). Needs no router. */
export function ReportForm({ order, customerId }: ReportFormProps) {
  const { values, put, clear } = useFormDraft(`report-${order.id}`, empty);
  const photoDraft = usePhotoDraft(`report-${order.id}-photos`, customerId);
  const { photos } = photoDraft;
  const text = values.message;
  const rows = useMemo(() => reportRows(order), [order]);
  const ticked = tickedRows(rows, values.items);
  const [isReading, setReading] = useState(false);
  const [isSent, setSent] = useState(false);
  const { running, error, attempt } = useAction();
  const sent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSent) sent.current?.focus();
  }, [isSent]);
  const over = text.trim().length - PROBLEM_MESSAGE_MAX;
  const ready = text.trim() !== "" && over <= 0 && photos !== null && !isReading;
  const tick = (variantId: number, quantity: number) => {
    const others = values.items.filter((item) => item.variantId !== variantId);
    put({ items: quantity > 0 ? [...others, { variantId, quantity }] : others });
  };
  const submit = () => {
    if (!ready || running) return;
    const run = async () => {
      // In the order's own order.
      const items = rows.flatMap(({ variantId }) => {
        const quantity = ticked.get(variantId);
        return quantity === undefined ? [] : [{ variantId, quantity }];
      });
      await sendReport(order.id, { message: text.trim(), items, photos: photos.map(({ blob }) => blob) });
      clear();
      photoDraft.clear();
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
        {rows.length > 0 && <ReportItems rows={rows} ticked={ticked} disabled={running !== null} onChange={tick} />}
        <Field
          label="What went wrong?"
          hint="And what would make it right"
          error={tooLong(over)}
          aside={<CharacterCount length={text.length} max={PROBLEM_MESSAGE_MAX} />}
        >
          <TextArea
            rows={5}
            value={text}
            readOnly={running !== null}
            onChange={(event) => put({ message: event.target.value })}
          />
        </Field>
        <PhotoPicker
          photos={photos ?? []}
          disabled={running !== null || photos === null}
          busy={isReading}
          onBusy={setReading}
          onAdd={photoDraft.add}
          onRemove={photoDraft.remove}
        />
        {/* Always there: a region that comes with its words is often not read. */}
        <div role="status" className={s.notes}>
          {photoDraft.hasLost && (
            <Banner tone="warning">Some photos couldn&apos;t be kept. Please add them again.</Banner>
          )}
          {!photoDraft.isKept && (
            <Banner tone="warning">
              Your browser has no room to keep these photos. If you leave before you send the report, you&apos;ll need
              to add them again.
            </Banner>
          )}
        </div>
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
