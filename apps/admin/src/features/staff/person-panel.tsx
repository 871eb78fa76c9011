import { useMarketNow } from "@marketday/client/clock.ts";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { useState } from "react";

import * as session from "#messages/session";
import * as t from "#messages/staff";

import { Abilities } from "../session/abilities.tsx";
import { useMe } from "../session/api.ts";
import { when } from "../session/when.ts";
import { AccessDialog } from "./access-dialog.tsx";
import { AccessSections } from "./access-sections.tsx";
import type { StaffMember } from "./api.ts";
import { type RoleChoice, roleWithoutMarket, rolesOf } from "./role-choice.ts";
import { RolesForm, useRolesDraft } from "./roles-form.tsx";

import s from "./staff.module.css";

/** The first of a person's names. */
const firstNameOf = (name: string): string => name.split(" ")[0] ?? name;

/** One person: roles, what they can do in sentences, and their access. */
export function PersonPanel({ person, onClose }: { person: StaffMember; onClose: () => void }) {
  const now = useMarketNow();
  const [change, setChange] = useState<"disable" | "reset" | null>(null);
  const draft = useRolesDraft(person);
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
          <RolesForm person={person} draft={draft} />
          <WhatCan person={person} chosen={draft.values.edit?.roles ?? null} />
          <AccessSections person={person} firstName={firstNameOf(person.name)} />
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

/** What a person can do with the roles that are saved or, while others are being chosen, with those. */
function WhatCan({ person, chosen }: { person: StaffMember; chosen: RoleChoice | null }) {
  const { hubs } = useMe();
  const firstName = firstNameOf(person.name);
  const heading = `staff-can-${person.id}`;
  const roles = chosen ? rolesOf(chosen, hubs) : person.roles;
  const withoutMarket = chosen && roleWithoutMarket(chosen);
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading}>{t.whatCan(firstName)}</h3>
      {person.state === "disabled" ? (
        <p>{t.canNothing(firstName)}</p>
      ) : (
        <>
          {person.state !== "active" && <p>{t.canOnceSetUp(firstName)}</p>}
          <p role="status">
            {chosen &&
              (withoutMarket !== null
                ? t.canNotYet(session.roles[withoutMarket])
                : roles.length === 0
                  ? t.canWithoutRole(firstName)
                  : t.canAfterSaving)}
          </p>
          {roles.length > 0 && <Abilities person={firstName} roles={roles} saved={chosen ? person.roles : undefined} />}
        </>
      )}
    </section>
  );
}
