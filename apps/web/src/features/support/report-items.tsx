import { Picture } from "@marketday/ui/picture.tsx";
import { Select } from "@marketday/ui/text-input.tsx";
import { useId } from "react";

import type { ReportRow } from "./rows.ts";

import s from "./report-items.module.css";

interface ReportItemsProps {
  rows: readonly ReportRow[];
  /** How many of a variant are reported. */
  ticked: ReadonlyMap<number, number>;
  disabled: boolean;
  /** `quantity` 0: not reported. */
  onChange: (variantId: number, quantity: number) => void;
}

/** The rows of the order, to tick what a report is about, and how many where there are several. */
export function ReportItems({ rows, ticked, disabled, onChange }: ReportItemsProps) {
  const hint = useId();
  return (
    <fieldset className={s.items} aria-describedby={hint} disabled={disabled}>
      <legend className={s.legend}>Which items?</legend>
      <p id={hint} className={s.hint}>
        Leave them all empty if it&apos;s about the whole order.
      </p>
      <ul className={s.rows}>
        {rows.map(({ variantId, name, title, about, picture, quantity }) => {
          const reported = ticked.get(variantId);
          return (
            <li key={variantId} className={s.row}>
              <label className={s.label}>
                <input
                  type="checkbox"
                  checked={reported !== undefined}
                  onChange={({ target }) => onChange(variantId, target.checked ? quantity : 0)}
                />
                <span className={s.picture}>
                  <Picture picture={picture} sizes="40px" alt="" />
                </span>
                <span className={s.words}>
                  <span className={s.title}>
                    {quantity > 1 && `${quantity} × `}
                    {title}
                  </span>
                  <small className={s.about}>{about}</small>
                </span>
              </label>
              {reported !== undefined && quantity > 1 && (
                <span className={s.many}>
                  <Select
                    aria-label={`How many of ${name}`}
                    value={reported}
                    onChange={({ target }) => onChange(variantId, Number(target.value))}
                  >
                    {Array.from({ length: quantity }, (_, place) => quantity - place).map((many) => (
                      <option key={many} value={many}>
                        {many === quantity ? `All ${quantity}` : `${many} of ${quantity}`}
                      </option>
                    ))}
                  </Select>
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
