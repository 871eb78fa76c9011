import * as calls from "@marketday/contracts/admin/calls";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/api-keys";

import { call } from "../../lib/api.ts";
import type { ApiKey } from "../api-keys/api.ts";
import { KeyRows } from "../api-keys/key-rows.tsx";
import { endingOf, RevokeDialog } from "../api-keys/revoke-dialog.tsx";
import { useStepUp } from "../session/step-up.tsx";
import { accessQuery, type StaffMember } from "./api.ts";

import s from "./staff.module.css";

interface KeysOfPersonProps {
  person: StaffMember;
  firstName: string;
  keys: readonly ApiKey[];
}

/** The API keys of a person; an owner revokes one or all. */
export function KeysOfPerson({ person, firstName, keys }: KeysOfPersonProps) {
  const client = useQueryClient();
  const withStepUp = useStepUp();
  const [ending, setEnding] = useState<ApiKey | "all" | null>(null);
  const heading = `staff-keys-${person.id}`;
  const subject =
    ending === null
      ? null
      : {
          ...(ending === "all"
            ? {
                title: t.revokeAllTitle(person.name),
                effect: t.revokeEffect,
                action: t.revokeAll,
                done: t.allRevoked(person.name),
              }
            : endingOf(ending)),
          input: { params: { id: person.id, key: ending === "all" ? ending : ending.id } },
        };
  const revoke = async ({ input, done, ...confirmed }: NonNullable<typeof subject>) => {
    try {
      const answer = await withStepUp(confirmed, () => call(calls.revokeKeysOfStaff, input));
      if (!answer) return false;
    } finally {
      await client.invalidateQueries({ queryKey: accessQuery(person.id).queryKey });
    }
    toast({ text: done });
    return true;
  };
  return (
    <section className={s.signedIn} aria-labelledby={heading}>
      <h3 id={heading} tabIndex={-1}>
        {t.titleOf(firstName)}
      </h3>
      {keys.length === 0 ? (
        <p>{t.noneOf(firstName)}</p>
      ) : (
        <KeyRows labelledBy={heading} keys={keys} onRevoke={setEnding} />
      )}
      {keys.length > 1 && (
        <Compact>
          <Button kind="outline" onClick={() => setEnding("all")}>
            {t.revokeAll}
          </Button>
        </Compact>
      )}
      {subject && (
        <RevokeDialog
          title={subject.title}
          effect={subject.effect}
          action={subject.action}
          returnTo={heading}
          revoke={() => revoke(subject)}
          onClose={() => setEnding(null)}
        />
      )}
    </section>
  );
}
