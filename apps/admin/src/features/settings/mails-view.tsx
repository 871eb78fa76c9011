import { messageOf } from "@marketday/client/messages.ts";
import type { MailText } from "@marketday/contracts/admin/settings";
import { type Column, DataTable } from "@marketday/ui/admin/data-table.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Banner } from "@marketday/ui/banner.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router";

import * as t from "#messages/settings";

import { paths } from "../../lib/paths.ts";
import { mailsQuery } from "./api.ts";
import { MailPanel } from "./mail-panel.tsx";

import s from "./settings.module.css";

const pathOf = (name: string): string => `${paths.settingsView("mails")}?mail=${name}`;

const columns: Column<MailText>[] = [
  {
    key: "subject",
    head: t.subject,
    narrow: "title",
    cell: ({ name, subject }) => (
      <Link to={pathOf(name)} id={`mail-${name}`}>
        {subject}
      </Link>
    ),
  },
  { key: "about", head: t.occasion, narrow: "note", cell: ({ about }) => about },
  {
    key: "kind",
    head: t.kind,
    width: "md",
    spare: true,
    cell: ({ canBeStopped }) => (
      <StatusMark shape={canBeStopped ? "ahead" : "ok"} quiet>
        {canBeStopped ? t.canBeStopped : t.always}
      </StatusMark>
    ),
  },
];

/** Every email that the market sends; one opens in a panel with its preview. */
export function MailsView() {
  const { data, error, refetch } = useQuery(mailsQuery);
  const navigate = useNavigate();
  const open = new URLSearchParams(useLocation().search).get("mail");
  const openRow = useCallback(({ name }: MailText) => void navigate(pathOf(name)), [navigate]);
  return (
    <>
      {data && (
        <div className={s.lead}>
          <p className={s.note}>{t.mailsNote(data.from)}</p>
          {!data.isSent && (
            <Banner tone="warning" action={<Link to={paths.settingsView("environment")}>{t.toEnvironment}</Link>}>
              {t.notSent}
            </Banner>
          )}
        </div>
      )}
      <DataTable
        label={t.mails}
        columns={columns}
        rows={data?.mails}
        rowKey={({ name }) => name}
        onOpen={openRow}
        openKey={open ?? undefined}
        empty={{ title: t.noMails }}
        failure={
          error && !data ? { title: t.failedMails, note: messageOf(error), onRetry: () => void refetch() } : undefined
        }
      />
      {open !== null && data && (
        <MailPanel
          key={open}
          name={open}
          testTo={data.testTo}
          isSent={data.isSent}
          onClose={() => void navigate(paths.settingsView("mails"))}
        />
      )}
    </>
  );
}
