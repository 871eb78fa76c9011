import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";

import * as t from "#messages/staff";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { useMe } from "../session/api.ts";
import { wordsOfRoles } from "../session/roles.ts";
import { useStepUp } from "../session/step-up.tsx";
import { currentOf, isLastOwner, type StaffMember, staffQuery } from "./api.ts";
import { rolesProblem } from "./invite-panel.tsx";
import { choiceOf, grantsOf, isSameChoice, type RoleChoice, rolesOf } from "./role-choice.ts";
import { RolesField } from "./roles-field.tsx";

import s from "./staff.module.css";

const ids = controlIds("staff-person", { roles: "" });
const titlesOf = (roles: StaffMember["roles"]): string[] => wordsOfRoles(roles).map(({ title }) => title);

/** What is being chosen, and the roles over which it was begun. */
interface Edit {
  over: RoleChoice;
  roles: RoleChoice;
}
const NO_EDIT: { edit: Edit | null } = { edit: null };

/** The roles of a person that are being chosen and not saved yet. */
export const useRolesDraft = ({ id }: StaffMember) => useFormDraft(`staff-roles-${id}`, NO_EDIT);

/**
 * The roles of one person. When someone else changed them since the choice was begun, both are shown, and one is chosen: whether
 * the list was read again first or the server refused.
 */
export function RolesForm({ person, draft }: { person: StaffMember; draft: ReturnType<typeof useRolesDraft> }) {
  const client = useQueryClient();
  const { hubs } = useMe();
  const withStepUp = useStepUp();
  const { values, put, clear } = draft;
  const { edit } = values;
  /** As a refused save brought it. */
  const [refused, setRefused] = useState<StaffMember | null>(null);
  const newest = refused && refused.version > person.version ? refused : person;
  const saved = choiceOf(newest.roles);
  const roles = edit?.roles ?? saved;
  const theirs = edit && (refused || !isSameChoice(saved, edit.over)) ? newest : null;
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, { roles: rolesProblem(roles) }),
  });
  const isChanged = edit !== null;
  const yours = titlesOf(rolesOf(roles, hubs));
  const wording = (cause: unknown) => (isLastOwner(cause) ? t.lastOwner(person.name) : messageOf(cause));

  const choose = (next: RoleChoice) => {
    const over = edit?.over ?? saved;
    put({ edit: isSameChoice(next, over) ? null : { over, roles: next } });
  };
  // Someone else saved the same: nothing is left to choose.
  const isSaved = edit !== null && isSameChoice(edit.roles, choiceOf(person.roles));
  const settle = useEffectEvent(() => {
    clear();
    setRefused(null);
  });
  useEffect(() => {
    if (isSaved) settle();
  }, [isSaved]);

  /** Saves over a version: the one that was read, or the one that a conflict brought. */
  const save = (expectedVersion: number) => async () => {
    const subject = {
      title: t.rolesSubject(person.name),
      effect: t.rolesEffect(person.name, yours),
      action: t.doSave,
    };
    try {
      const input = { params: { id: person.id }, body: { expectedVersion, roles: grantsOf(roles) } };
      const answer = await withStepUp(
        subject,
        (idempotencyKey) => call(calls.putStaffRoles, input, { idempotencyKey }),
        input,
      );
      if (!answer) return;
    } catch (cause) {
      const current = currentOf(cause);
      if (!current) throw cause;
      setRefused(current);
      void client.invalidateQueries({ queryKey: staffQuery.queryKey });
      return;
    }
    setRefused(null);
    await client.invalidateQueries({ queryKey: staffQuery.queryKey });
    // The button is gone once nothing is changed.
    document.getElementById(ids.roles)?.focus();
    clear();
    toast({ text: t.rolesSaved(person.name) });
  };
  return (
    <Form onSubmit={() => isChanged && void submit(save(newest.version), wording)} problems={problems}>
      <RolesField {...field("roles")} hubs={hubs} value={roles} onChange={choose} />
      {theirs ? (
        <ConflictBox>
          <Banner tone="information" title={t.conflict(person.name)}>
            <dl className={s.facts}>
              <div>
                <dt>{t.conflictNow}</dt>
                <dd>{titlesOf(theirs.roles).join("; ")}</dd>
              </div>
              <div>
                <dt>{t.conflictYours}</dt>
                <dd>{yours.join("; ")}</dd>
              </div>
            </dl>
            <Stack gap={2}>
              <Button type="submit" kind="outline" wide busy={running !== null && t.saving}>
                {t.keepYours}
              </Button>
              <Button
                kind="outline"
                wide
                onClick={() => {
                  document.getElementById(ids.roles)?.focus();
                  setRefused(null);
                  clear();
                  void client.invalidateQueries({ queryKey: staffQuery.queryKey });
                }}
              >
                {t.takeTheirs}
              </Button>
            </Stack>
          </Banner>
        </ConflictBox>
      ) : (
        isChanged && (
          <Button type="submit" wide busy={running !== null && t.saving}>
            {t.saveRoles}
          </Button>
        )
      )}
      {error && <AlertBox key={error}>{error}</AlertBox>}
    </Form>
  );
}

/** Read at once. It takes the focus of a button that is gone, and of nothing else: it may come while roles are being chosen. */
function ConflictBox({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus();
  }, []);
  return (
    <div ref={box} role="alert" tabIndex={-1}>
      {children}
    </div>
  );
}
