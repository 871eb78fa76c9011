import { sentencesOf, type StaffRoles } from "./roles.ts";

import s from "./abilities.module.css";

/** What a person can do: sentences, each with the roles that it comes from. */
export const Abilities = ({ person, roles }: { person: string; roles: StaffRoles }) => (
  <ul className={s.list}>
    {sentencesOf(person, roles).map(({ key, sentence, why }) => (
      <li key={key}>
        <span>{sentence}</span>
        <small>{why}</small>
      </li>
    ))}
  </ul>
);
