import { useAction } from "@marketday/client/forms/use-action.ts";
import { useChoice } from "@marketday/client/forms/use-choice.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { InboxItem } from "@marketday/contracts/admin/inbox";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Select } from "@marketday/ui/text-input.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import * as t from "#messages/inbox";

import { call } from "../../lib/api.ts";
import { cacheItem, peopleQuery } from "./api.ts";

import s from "./inbox.module.css";

/** Time that arrow keys rest on a person before the item is theirs (ms). */
const WAIT_MS = 500;

/** Whose an item is. Arrow keys that pass over people assign it to none of them. */
export function AssigneeField({ item }: { item: InboxItem }) {
  const client = useQueryClient();
  const { data: people = [] } = useQuery(peopleQuery);
  const { attempt, error } = useAction();
  const { kind, id, assignee, hub } = item;
  const able = people.filter(({ hubIds }) => hubIds === null || (hub !== null && hubIds.includes(hub.id)));
  const isKnown = assignee === null || able.some((person) => person.id === assignee.id);
  const { shown, choose, settle } = useChoice((value: string) => {
    const staffId = value === "" ? null : Number(value);
    return attempt("assign", async () =>
      cacheItem(client, await call(calls.assignInbox, { params: { kind, id }, body: { staffId } })),
    );
  }, WAIT_MS);
  const isByKey = useRef(false);
  return (
    <div className={s.section}>
      <Compact>
        <Field label={t.assignee} id="inbox-assignee" error={error}>
          <Select
            value={shown?.value ?? (assignee === null ? "" : String(assignee.id))}
            onPointerDown={() => {
              isByKey.current = false;
            }}
            onKeyDown={({ key }) => {
              isByKey.current = true;
              if (key === "Enter") settle();
            }}
            onChange={({ target }) => choose(target.value, isByKey.current)}
            onBlur={settle}
          >
            <option value="">{t.noOne}</option>
            {!isKnown && <option value={assignee.id}>{assignee.name}</option>}
            {able.map((person) => (
              <option key={person.id} value={person.id}>
                {person.name}
              </option>
            ))}
          </Select>
        </Field>
      </Compact>
    </div>
  );
}
