import { deviceNow } from "@marketday/client/clock.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/settings";

import { StaleNote } from "../shell/stale-note.tsx";
import { healthQuery } from "./api.ts";
import { BackupsSection } from "./backups-section.tsx";
import { ChecksSection } from "./checks-section.tsx";
import { NotLoaded } from "./not-loaded.tsx";
import { WorkSection } from "./work-section.tsx";

import s from "./settings.module.css";

const VERSIONS = ["marketday", "node", "postgres", "migration"] as const;

/** The checks, failed work, backups and versions. */
export function HealthView() {
  const [retriedAt, setRetriedAt] = useState<number>();
  const query = useQuery(healthQuery(retriedAt));
  const { data, error, refetch } = query;
  if (!data)
    return <NotLoaded error={error} label={t.loadingHealth} failed={t.failedHealth} onRetry={() => void refetch()} />;
  return (
    <>
      <StaleNote query={query} zone={new Intl.DateTimeFormat().resolvedOptions().timeZone} />
      <div className={s.body}>
        <ChecksSection checks={data.checks} />
        <WorkSection work={data.work} total={data.total} onRetried={() => setRetriedAt(deviceNow())} />
        <BackupsSection />
        <section className={s.section} aria-labelledby="settings-versions">
          <h2 id="settings-versions">{t.versions}</h2>
          <dl className={s.facts}>
            {VERSIONS.map((key) => (
              <div key={key}>
                <dt>{t.versionNames[key]}</dt>
                <dd translate="no">{data.versions[key]}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </>
  );
}
