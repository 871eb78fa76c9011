import { marketNow } from "@marketday/client/clock.ts";
import { initials } from "@marketday/domain/picture";
import { Button } from "@marketday/ui/button.tsx";

import * as t from "#messages/session";

import type { KnownPerson } from "./known-person.ts";
import { deviceDay } from "./when.ts";

import s from "./sign-in.module.css";

interface PersonCardProps {
  person: KnownPerson;
  onForget: () => void;
}

/** Who signed in on this device the last time. */
export const PersonCard = ({ person: { name, since }, onForget }: PersonCardProps) => (
  <div className={s.person}>
    <span className={s.face} aria-hidden="true">
      {initials(name)}
    </span>
    <span className={s.who}>
      <strong>{name}</strong>
      <small>{t.knownSince(deviceDay(new Date(since)), deviceDay(marketNow()))}</small>
    </span>
    <Button kind="link" onClick={onForget}>
      {t.notYou}
    </Button>
  </div>
);
