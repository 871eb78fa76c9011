import type { GridOffer } from "@marketday/contracts/admin/offers";
import type { OfferField } from "@marketday/domain/offer-fields";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogFoot, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { Select, TextInput } from "@marketday/ui/text-input.tsx";
import { useDeferredValue, useMemo, useState } from "react";

import * as t from "#messages/products";

import { type BulkChange, changeColumn } from "./block.ts";
import { GRID_COLUMNS } from "./columns.ts";
import type { Draft } from "./draft.ts";

import s from "./products.module.css";

interface BulkDialogProps {
  rows: readonly GridOffer[];
  draft: Draft;
  /** False: it was too much at once. */
  onApply: (draft: Draft, changed: number) => boolean;
  onClose: () => void;
}

const FORM = "bulk-products";
const FIELDS = GRID_COLUMNS.flatMap(({ field, key }) => (field === null || field === "title" ? [] : [{ field, key }]));
const isMoney = (field: OfferField): boolean => field === "price" || field === "sale_price";
const isAmount = (field: OfferField): boolean =>
  isMoney(field) || field === "inventory" || field === "weekly_inventory";
const STEPS = [1, 5, 10, 25, 100] as const;

/** Of a dialog: one column of many rows changed at once. It only fills the grid: what comes of it is seen before it is saved. */
export default function BulkDialog({ rows, draft, onApply, onClose }: BulkDialogProps) {
  const [field, setField] = useState<OfferField>("price");
  const [kind, setKind] = useState<BulkChange["kind"]>("percent");
  const [text, setText] = useState("");
  const [step, setStep] = useState<number>(1);
  const [wasSent, setSent] = useState(false);
  const how = isAmount(field) ? kind : "set";
  const number = /^[+-]?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : null;
  const change: BulkChange | null =
    how === "set"
      ? text.trim() === ""
        ? null
        : { kind: "set", to: text.trim() }
      : number === null
        ? null
        : how === "percent"
          ? { kind: "percent", by: number, step: isMoney(field) ? step : 1 }
          : { kind: "add", by: number };
  const late = useDeferredValue(change === null ? null : JSON.stringify(change));
  const result = useMemo(
    () => (late === null ? null : changeColumn(draft, rows, field, JSON.parse(late) as BulkChange)),
    [draft, rows, field, late],
  );
  return (
    <>
      <DialogTitle>{t.bulkTitle(rows.length)}</DialogTitle>
      <DialogBody>
        <Form
          id={FORM}
          onSubmit={() => {
            setSent(true);
            // What is in the fields now: the preview may be a key behind.
            const now = change && changeColumn(draft, rows, field, change);
            if (now && now.changed > 0 && onApply(now.draft, now.changed)) onClose();
          }}
        >
          <Field label={t.bulkField}>
            <Select value={field} onChange={({ target }) => setField(target.value as OfferField)}>
              {FIELDS.map(({ field: one, key }) => (
                <option key={one} value={one}>
                  {t.heads[key]}
                </option>
              ))}
            </Select>
          </Field>
          {isAmount(field) && (
            <Field label={t.bulkHow}>
              <Select value={kind} onChange={({ target }) => setKind(target.value as BulkChange["kind"])}>
                {(["percent", "add", "set"] as const).map((one) => (
                  <option key={one} value={one}>
                    {t.bulkKinds[one]}
                  </option>
                ))}
              </Select>
            </Field>
          )}
          <Field
            label={t.bulkValue[how]}
            {...(how === "percent" && { hint: t.bulkPercentHint })}
            {...(how === "add" && { hint: isMoney(field) ? t.bulkAddHint.money : t.bulkAddHint.units })}
            error={wasSent && change === null ? (how === "set" ? t.bulkMissing : t.bulkNumber) : null}
          >
            <TextInput data-autofocus="" value={text} onChange={({ target }) => setText(target.value)} />
          </Field>
          {how === "percent" && isMoney(field) && (
            <Field label={t.bulkStep}>
              <Select value={step} onChange={({ target }) => setStep(Number(target.value))}>
                {STEPS.map((one) => (
                  <option key={one} value={one}>
                    {t.bulkSteps[one]}
                  </option>
                ))}
              </Select>
            </Field>
          )}
          <p className={s.quiet} role="status">
            {result ? t.bulkPreview(result.changed, result.left) : ""}
          </p>
        </Form>
      </DialogBody>
      <DialogFoot row>
        <Compact>
          <Button type="submit" form={FORM}>
            {t.bulkApply(result?.changed ?? 0)}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {t.cancel}
          </Button>
        </Compact>
      </DialogFoot>
    </>
  );
}
