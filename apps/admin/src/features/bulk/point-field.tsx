import { messageOf } from "@marketday/client/messages.ts";
import type { OrderMoves } from "@marketday/contracts/admin/order-changes";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Select } from "@marketday/ui/text-input.tsx";
import type { UseQueryResult } from "@tanstack/react-query";

import * as t from "#messages/bulk";

import s from "./bulk.module.css";

interface PointFieldProps {
  points: UseQueryResult<OrderMoves["points"]>;
  value: string;
  onChange: (pickupPointId: string) => void;
  /** Of the field: its id and its error. */
  field: { id: string; error: string | null };
}

/** The pickup point that chosen orders go to. */
export function PointField({ points: { data, error, refetch }, value, onChange, field }: PointFieldProps) {
  if (error && !data)
    return (
      <>
        <p>{messageOf(error)}</p>
        <Button kind="outline" onClick={() => void refetch()}>
          {t.tryAgain}
        </Button>
      </>
    );
  return (
    <>
      <Field label={t.point} {...field}>
        <Select
          value={data?.some(({ id }) => String(id) === value) ? value : ""}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">{data?.length === 0 ? t.noPoints : t.choosePoint}</option>
          {(data ?? []).map(({ id, name, address }) => (
            <option key={id} value={String(id)}>
              {t.inPoint(name, address)}
            </option>
          ))}
        </Select>
      </Field>
      <p className={s.quiet}>{t.noPlaceMail}</p>
    </>
  );
}
