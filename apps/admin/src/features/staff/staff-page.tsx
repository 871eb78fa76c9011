import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { type Column, DataTable } from "@marketday/ui/admin/data-table.tsx";
import type { MarkShape } from "@marketday/ui/admin/mark.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "react-router";

import * as t from "#messages/staff";

import { paths } from "../../lib/paths.ts";
import { useMe } from "../session/api.ts";
import { wordsOfRoles } from "../session/roles.ts";
import { when } from "../session/when.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { PageHead } from "../shell/page-head.tsx";
import { type StaffMember, staffQuery } from "./api.ts";
import { InvitePanel } from "./invite-panel.tsx";
import { PersonPanel } from "./person-panel.tsx";

import s from "./staff-page.module.css";

const shapes: Readonly<Record<StaffMember["state"], MarkShape>> = {
  active: "ok",
  invited: "ahead",
  expired: "due",
  disabled: "off",
};

const pathOf = (id: number): string => `${paths.staff}?person=${id}`;

/** `to`: the address of a screen, with the filter by market kept. */
const columnsFor = (myId: number, now: Date, to: (path: string) => string): Column<StaffMember>[] => [
  {
    key: "person",
    head: t.person,
    narrow: "title",
    cell: ({ id, name }) => (
      <>
        <Link to={to(pathOf(id))} id={`staff-${id}`}>
          {name}
        </Link>
        {id === myId && <small> {t.you}</small>}
      </>
    ),
  },
  { key: "email", head: t.email, cell: ({ email }) => email },
  {
    key: "roles",
    head: t.roles,
    narrow: "note",
    cell: ({ roles }) =>
      wordsOfRoles(roles)
        .map(({ title }) => title)
        .join("; "),
  },
  {
    key: "state",
    head: t.access,
    width: "sm",
    narrow: "end",
    cell: ({ state }) => (
      <StatusMark shape={shapes[state]} quiet>
        {t.states[state]}
      </StatusMark>
    ),
  },
  {
    key: "factors",
    head: t.signIn,
    width: "md",
    cell: ({ passkeys, hasPassword, recoveryCodesLeft }) => t.factors(passkeys, hasPassword, recoveryCodesLeft),
  },
  {
    key: "seen",
    head: t.seen,
    width: "sm",
    narrow: "endNote",
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? t.neverSeen : when(lastSeenAt, now)),
  },
];

/** The people who run the market: who they are, what they may do, how they sign in. */
export default function StaffPage() {
  const { data: people, error, refetch } = useQuery(staffQuery);
  const navigate = useNavigate();
  const now = useMarketNow();
  const me = useMe();
  const query = new URLSearchParams(useLocation().search);
  const open = query.get("person");
  const person = people?.find(({ id }) => String(id) === open);
  const { to } = useHubFilter();
  const go = (path: string) => void navigate(to(path));
  const close = () => go(paths.staff);
  return (
    <div className={s.page}>
      <PageHead title={t.title} note={people && t.count(people.length)}>
        <Compact>
          <Button icon="plus" id="staff-invite" onClick={() => go(`${paths.staff}?invite=1`)}>
            {t.invite}
          </Button>
        </Compact>
      </PageHead>
      {people && open !== null && !person && (
        <p role="status" className={s.gone}>
          {t.gone}
        </p>
      )}
      <DataTable
        label={t.title}
        rows={people}
        rowKey={({ id }) => id}
        onOpen={({ id }) => go(pathOf(id))}
        openKey={person?.id}
        columns={columnsFor(me.id, now, to)}
        empty={{ title: t.none }}
        failure={error ? { title: t.failed, note: messageOf(error), onRetry: () => void refetch() } : undefined}
      />
      {person && <PersonPanel key={person.id} person={person} onClose={close} />}
      {query.has("invite") && <InvitePanel onClose={close} />}
    </div>
  );
}
