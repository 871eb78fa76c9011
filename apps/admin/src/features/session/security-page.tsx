import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";

import * as t from "#messages/session";

import { useTitle } from "../../lib/use-title.ts";
import { useMe } from "./api.ts";
import { CodesSection } from "./codes-section.tsx";
import { PasskeysSection } from "./passkeys-section.tsx";
import { securityQuery } from "./security-query.ts";
import { SessionsSection } from "./sessions-section.tsx";

import s from "./security-page.module.css";

/** One's own passkeys, recovery codes and sessions. */
export default function SecurityPage() {
  useTitle(t.securityTitle);
  const { email } = useMe();
  const { data: security, isError, refetch } = useQuery(securityQuery);
  return (
    <div className={s.page}>
      <header className={s.head}>
        <h1>{t.securityTitle}</h1>
        <p>{t.securityLead(email)}</p>
      </header>
      {security ? (
        <>
          <PasskeysSection passkeys={security.passkeys} />
          <CodesSection left={security.recoveryCodesLeft} hasPassword={security.hasPassword} />
          <SessionsSection sessions={security.sessions} />
        </>
      ) : isError ? (
        <ErrorState message={t.securityFailed} onRetry={() => void refetch()} />
      ) : (
        <Skeleton label={t.securityLoading}>
          <SkeletonPart kind="title" width="third" />
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
        </Skeleton>
      )}
    </div>
  );
}
