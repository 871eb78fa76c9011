import { Chip } from "@marketday/ui/chip.tsx";

import * as t from "#messages/session";

import { cannotOf, sentencesOf, type StaffRoles } from "./roles.ts";

import s from "./abilities.module.css";

interface AbilitiesProps {
  person: string;
  roles: StaffRoles;
  /** The roles as they are saved, when `roles` are being chosen: what is added to them is marked. */
  saved?: StaffRoles | undefined;
}

/** What a person can do: sentences, each with the roles that it comes from, and at the end what they can do nowhere. */
export function Abilities({ person, roles, saved }: AbilitiesProps) {
  const known = saved && new Set(sentencesOf(person, saved).map(({ sentence }) => sentence));
  const cannot = cannotOf(person, roles);
  return (
    <>
      <ul className={s.list}>
        {sentencesOf(person, roles).map(({ key, sentence, why, proof }) => (
          <li key={key}>
            <span>
              {sentence} {known && !known.has(sentence) && <Chip tone="kale">{t.abilityNew}</Chip>}
            </span>
            <small>{proof === null ? why : t.whyWithProof(why, proof)}</small>
          </li>
        ))}
      </ul>
      {cannot !== null && <p className={s.cannot}>{cannot}</p>}
    </>
  );
}
