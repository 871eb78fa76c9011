import { ViewTabs } from "@marketday/ui/admin/view-tabs.tsx";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";

import * as t from "#messages/settings";

import { paths } from "../../lib/paths.ts";
import { NotFoundPage } from "../shell/not-found-page.tsx";
import { PageHead } from "../shell/page-head.tsx";
import { healthQuery } from "./api.ts";
import { EnvironmentView } from "./environment-view.tsx";
import { HealthView } from "./health-view.tsx";
import { MailsView } from "./mails-view.tsx";

import s from "./settings.module.css";

const VIEWS = ["health", "mails", "environment"] as const;
type View = (typeof VIEWS)[number];

const isView = (text: string): text is View => VIEWS.some((view) => view === text);

/** The machine: whether it is well, what it sends, and what it is set to. */
export default function SettingsPage() {
  const { view = "health" } = useParams();
  const { data: health } = useQuery({ ...healthQuery(), refetchInterval: false });
  if (!isView(view)) return <NotFoundPage />;
  return (
    <div className={s.page}>
      <PageHead title={t.title} documentTitle={`${t.viewNames[view]} · ${t.title}`} />
      <div className={s.views}>
        <ViewTabs
          label={t.views}
          current={view}
          views={VIEWS.map((key) => ({
            key,
            label: t.viewNames[key],
            count: key === "health" && health && health.total > 0 ? health.total : undefined,
            to: key === "health" ? paths.settings : paths.settingsView(key),
          }))}
        />
      </div>
      {view === "health" && <HealthView />}
      {view === "mails" && <MailsView />}
      {view === "environment" && <EnvironmentView />}
    </div>
  );
}
