import { messageOf } from "@marketday/client/messages.ts";
import type { BulkPoints } from "@marketday/contracts/admin/bulk";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Select } from "@marketday/ui/text-input.tsx";
import type { UseQueryResult } from "@tanstack/react-query";

import * as t from "#messages/bulk";

import s from "./bulk.module.css";

interface PointFieldProps {
  markets: UseQueryResult<BulkPoints["markets"]>;
  value: string;
  onChange: (pickupPointId: string) => void;
  /** Of the field: its id and its error. */
  field: { id: string; error: string | null };
}

/** The pickup point that chosen orders go to: one of their market, or of one of their markets. */
export function PointField({ markets: { data, error, refetch }, value, onChange, field }: PointFieldProps) {
  if (error && !data)
    return (
      <>
        <p>{messageOf(error)}</p>
        <Button kind="outline" onClick={() => void refetch()}>
          {t.tryAgain}
        </Button>
      </>
    );
  const all = data?.flatMap(({ points }) => points);
  if (data && all?.length === 0) return <p>{t.noPoints(data.length)}</p>;
  return (
    <>
      <Field label={t.point} {...field}>
        <Select
          disabled={!data}
          value={all?.some(({ id }) => String(id) === value) ? value : ""}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">{data ? t.choosePoint : t.loadingPoints}</option>
          {data?.length === 1 ? (
            <Options points={data[0]!.points} />
          ) : (
            data?.map(({ id, name, points }) => (
              <optgroup key={id} label={name}>
                <Options points={points} />
              </optgroup>
            ))
          )}
        </Select>
      </Field>
      <p className={s.quiet}>{t.noPlaceMail}</p>
    </>
  );
}

const Options = ({ points }: Pick<BulkPoints["markets"][number], "points">) =>
  points.map(({ id, name, address }) => (
    <option key={id} value={String(id)}>
      {t.inPoint(name, address)}
    </option>
  ));
