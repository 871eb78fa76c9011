import { Chip } from "@marketday/ui/chip.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";

import type { Requirement } from "./register-rules.ts";

import s from "./auth.module.css";

/** The missing requirements, as yellow chips that are ticked off while typing. */
export const RequirementChips = ({ id, requirements }: { id: string; requirements: Requirement[] }) => (
  <ul id={id} className={s.chips} aria-label="What we need">
    {requirements.map(({ id, message, name, met }) => (
      <li key={id}>
        {met ? (
          <Chip tone="kale">
            <span className={s.met}>
              <Icon name="check" size="sm" />
              {name}
            </span>
          </Chip>
        ) : (
          <Chip tone="squash">{message}</Chip>
        )}
      </li>
    ))}
  </ul>
);
