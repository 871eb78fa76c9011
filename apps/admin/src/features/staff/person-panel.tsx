import { useMarketNow } from "@marketday/client/clock.ts";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { useState } from "react";

import * as t from "#messages/staff";

import { Abilities } from "../session/abilities.tsx";
import { when } from "../session/when.ts";
import { AccessDialog } from "./access-dialog.tsx";
import type { StaffMember } from "./api.ts";
import { RolesForm } from "./roles-form.tsx";

import s from "./staff.module.css";

/** The first of a person's names. */
const firstNameOf = (name: string): string => name.split(" ")[0] ?? name;

/** One person: roles, what they can do in sentences, and their access. */
export function PersonPanel({ person, onClose }: { person: StaffMember; onClose: () => void }) {
  const now = useMarketNow();
  const [change, setChange] = useState<"disable" | "reset" | null>(null);
  const firstName = firstNameOf(person.name);
  const canHeading = `staff-can-${person.id}`;
  return (
    <Dialog size="cart" onClose={onClose} returnTo={`staff-${person.id}`}>
      <DialogTitle>{person.name}</DialogTitle>
      <DialogBody>
        <div className={s.panel}>
          <dl className={s.facts}>
            <div>
              <dt>{t.email}</dt>
              <dd>{person.email}</dd>
            </div>
            <div>
              <dt>{t.access}</dt>
              <dd>{t.states[person.state]}</dd>
            </div>
            <div>
              <dt>{t.signIn}</dt>
              <dd>{t.factors(person.passkeys, person.hasPassword, person.recoveryCodesLeft)}</dd>
            </div>
            <div>
              <dt>{t.seen}</dt>
              <dd>{person.lastSeenAt === null ? t.neverSeen : when(person.lastSeenAt, now)}</dd>
            </div>
          </dl>
          <RolesForm person={person} />
          <section aria-labelledby={canHeading}>
            <h3 id={canHeading}>{t.whatCan(firstName)}</h3>
            {person.state === "disabled" ? (
              <p>{t.canNothing(firstName)}</p>
            ) : (
              <>
                {person.state !== "active" && <p>{t.canOnceSetUp(firstName)}</p>}
                <Abilities person={firstName} roles={person.roles} />
              </>
            )}
          </section>
          <section className={s.access}>
            <Button kind="outline" wide onClick={() => setChange("reset")}>
              {t.reset}
            </Button>
            <p>{t.resetNote}</p>
            {person.state !== "disabled" && (
              <>
                <Button kind="danger" wide onClick={() => setChange("disable")}>
                  {t.disable}
                </Button>
                <p>{t.disableNote}</p>
              </>
            )}
          </section>
        </div>
      </DialogBody>
      {change && <AccessDialog person={person} change={change} onClose={() => setChange(null)} />}
    </Dialog>
  );
}
