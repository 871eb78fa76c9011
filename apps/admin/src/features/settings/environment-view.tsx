import type { Environment } from "@marketday/contracts/admin/settings";
import { Banner } from "@marketday/ui/banner.tsx";
import { useQuery } from "@tanstack/react-query";

import * as t from "#messages/settings";

import { environmentQuery } from "./api.ts";
import { NotLoaded } from "./not-loaded.tsx";

import s from "./settings.module.css";

/** What the server was started with, read-only, with the name that changes it. */
export function EnvironmentView() {
  const { data, error, refetch } = useQuery(environmentQuery);
  if (!data)
    return (
      <NotLoaded
        error={error}
        label={t.loadingEnvironment}
        failed={t.failedEnvironment}
        onRetry={() => void refetch()}
      />
    );
  return (
    <div className={s.body}>
      <p className={s.note}>{t.environmentNote}</p>
      {data.unknown.length > 0 && (
        <section className={s.section} aria-labelledby="settings-unknown">
          <h2 id="settings-unknown">{t.unknownNames}</h2>
          <ul className={s.problems}>
            {data.unknown.map(({ name, warning }) => (
              <li key={name}>{warning}</li>
            ))}
          </ul>
        </section>
      )}
      {data.groups.map(({ title, settings }, at) => (
        <section key={title} className={s.section} aria-labelledby={`settings-group-${at}`}>
          <h2 id={`settings-group-${at}`}>{title}</h2>
          <dl className={s.settings}>
            {settings.map((setting) => (
              <Setting key={setting.name} {...setting} />
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** Its name, its value and where that is from; below it what it is for. */
function Setting({ name, about, value, isSet, isSecret, warning }: Environment["groups"][number]["settings"][number]) {
  const isShown = value !== null;
  return (
    <div className={s.setting}>
      <dt translate="no">{name}</dt>
      <dd>
        {isShown ? (
          <>
            <span className={s.value} translate="no">
              {value}
            </span>
            {!isSet && <span className={s.origin}>{t.isDefault}</span>}
          </>
        ) : (
          <span className={s.origin}>{isSet && isSecret ? t.secretSet : t.notSet}</span>
        )}
      </dd>
      <dd className={s.about}>{about}</dd>
      {warning !== null && (
        <dd>
          <Banner tone="warning">{warning}</Banner>
        </dd>
      )}
    </div>
  );
}
