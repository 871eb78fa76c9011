import { useSettled } from "@marketday/client/use-settled.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { ListedCustomer } from "@marketday/contracts/admin/customers";
import { useQuery } from "@tanstack/react-query";

import * as t from "#messages/shell";

import { call } from "../../lib/api.ts";
import { paths } from "../../lib/paths.ts";
import { useCan } from "../session/api.ts";
import type { Command } from "./commands.ts";
import { type LateRows, NO_ROWS, SEARCHING } from "./late-rows.ts";
import { parseTyped } from "./typed-commands.ts";

/** As many people as the palette lists. */
const PEOPLE_MAX = 5;
/** From the last key to the search, ms. */
const PAUSE_MS = 250;

/** What the palette looks for among people; null: too little was typed, or it names something else. */
export function peopleText(text: string): string | null {
  const wanted = text.trim();
  return wanted.length < 3 || parseTyped(wanted) ? null : wanted;
}

/** A person as a row of the palette. */
export const personCommand = ({ id, name, email, phone, found }: ListedCustomer): Command => ({
  id: `person:${id}`,
  title: name || email,
  detail: t.personDetail([name && email, phone, found ?? ""]),
  icon: "person",
  words: "",
  does: { to: paths.customer(id) },
  command: `customers find ${email || id}`,
});

/** The people whom a text of the palette finds, a moment after the last key. */
export function useFoundPeople(text: string): LateRows {
  const canRead = useCan("people.read");
  const wanted = canRead ? peopleText(text) : null;
  const settled = useSettled(wanted, PAUSE_MS);
  const { data, isLoading } = useQuery({
    queryKey: ["customers", "palette", settled],
    queryFn: ({ signal }) =>
      call(calls.listCustomers, { querystring: { q: settled ?? "", perPage: PEOPLE_MAX } }, { signal }),
    enabled: settled !== null,
    retry: false,
  });
  if (wanted === null) return NO_ROWS;
  // The answer for another text is older.
  if (settled !== wanted || isLoading) return SEARCHING;
  return { rows: (data?.customers ?? []).slice(0, PEOPLE_MAX).map(personCommand), isPending: false };
}
