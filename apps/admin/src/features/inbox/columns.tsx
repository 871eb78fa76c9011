import { useMarketNow } from "@marketday/client/clock.ts";
import type { InboxRow } from "@marketday/contracts/admin/inbox";
import type { Column } from "@marketday/ui/admin/data-table.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

import * as t from "#messages/inbox";

import { aboutOf, kindIcon, kindName, nameOf, turnStatus } from "./format.ts";

import s from "./inbox.module.css";

function Age({ at }: { at: string }) {
  const now = useMarketNow();
  return <>{t.age(now.getTime() - Date.parse(at))}</>;
}

function Turn({ row }: { row: InboxRow }) {
  const { shape, word } = turnStatus(row);
  return (
    <StatusMark shape={shape} quiet>
      {word}
    </StatusMark>
  );
}

/** The columns of the inbox; three of them stay beside the panel. */
export const columns: readonly Column<InboxRow>[] = [
  {
    key: "from",
    head: t.columns.from,
    width: "md",
    beside: "auto",
    narrow: "title",
    cell: (row) => (
      <span className={s.from}>
        <Icon name={kindIcon(row.kind)} size="sm" />
        <VisuallyHidden>{`${kindName(row)}, `}</VisuallyHidden>
        <b>{nameOf(row)}</b>
      </span>
    ),
  },
  {
    key: "words",
    head: t.columns.words,
    narrow: "note",
    cell: ({ words }) => words || t.noWords,
  },
  { key: "about", head: t.columns.about, width: "md", spare: true, cell: aboutOf },
  {
    key: "turn",
    head: t.columns.turn,
    width: "money",
    beside: "money",
    narrow: "endNote",
    cell: (row) => <Turn row={row} />,
  },
  {
    key: "assignee",
    head: t.columns.assignee,
    width: "sm",
    spare: true,
    cell: ({ assignee }) => assignee?.name ?? "",
  },
  {
    key: "age",
    head: t.columns.age,
    width: "xs",
    beside: "xs",
    numeric: true,
    narrow: "end",
    cell: ({ at }) => <Age at={at} />,
  },
];
