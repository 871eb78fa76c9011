import { MARKET_ROLES, type Role, ROLES } from "@marketday/domain/staff";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";

import * as session from "#messages/session";
import * as t from "#messages/staff";

import type { RoleChoice } from "./role-choice.ts";

import s from "./staff.module.css";

interface RolesFieldProps {
  /** Where the focus goes when something is wrong with it. */
  id: string;
  error: string | null;
  hubs: readonly { id: number; name: string }[];
  value: RoleChoice;
  onChange: (value: RoleChoice) => void;
}

/** Roles, each with what it is for, in all markets or in chosen ones. */
export function RolesField({ id, error, hubs, value, onChange }: RolesFieldProps) {
  const set = (role: Role, where: RoleChoice[Role]) => {
    const { [role]: _, ...others } = value;
    onChange(where === undefined ? others : { ...others, [role]: where });
  };
  return (
    <fieldset id={id} tabIndex={-1} className={s.roles} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={s.label}>{t.roles}</legend>
      {ROLES.map((role) => {
        const where = value[role];
        const name = session.roles[role];
        return (
          <div key={role} className={s.role}>
            <Checkbox
              checked={where !== undefined}
              onChange={({ target }) => set(role, target.checked ? "all" : undefined)}
            >
              <strong>{name}</strong>
              <small>{t.purpose(session.rolePurposes[role])}</small>
            </Checkbox>
            {where !== undefined && !MARKET_ROLES.includes(role) && (
              <div className={s.where}>
                <RadioChips
                  legend={t.where(name)}
                  legendHidden
                  chips={[
                    { value: "all", label: t.everywhere },
                    { value: "some", label: t.chosen },
                  ]}
                  value={where === "all" ? "all" : "some"}
                  onChange={(chosen) => set(role, chosen === "all" ? "all" : [])}
                />
                {where !== "all" &&
                  hubs.map((hub) => (
                    <Checkbox
                      key={hub.id}
                      checked={where.includes(hub.id)}
                      onChange={({ target }) =>
                        set(
                          role,
                          target.checked
                            ? [...where, hub.id].toSorted((a, b) => a - b)
                            : where.filter((each) => each !== hub.id),
                        )
                      }
                    >
                      {hub.name}
                    </Checkbox>
                  ))}
              </div>
            )}
          </div>
        );
      })}
      {error && (
        <p id={`${id}-error`} className={s.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
