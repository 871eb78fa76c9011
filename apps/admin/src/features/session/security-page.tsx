import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";

import * as t from "#messages/session";

import { KeysSection } from "../api-keys/keys-section.tsx";
import { PageHead } from "../shell/page-head.tsx";
import { Abilities } from "./abilities.tsx";
import { useMe } from "./api.ts";
import { CodesSection } from "./codes-section.tsx";
import { PasskeysSection } from "./passkeys-section.tsx";
import { securityQuery } from "./security-query.ts";
import { SessionsSection } from "./sessions-section.tsx";

import s from "./security-page.module.css";

/** One's own passkeys, recovery codes, sessions, API keys, and what one can do. */
export default function SecurityPage() {
  const { email, roles } = useMe();
  const { data: security, isError, refetch } = useQuery(securityQuery);
  return (
    <>
      <PageHead title={t.securityTitle} note={t.securityLead(email)} />
      <div className={s.page}>
        {security ? (
          <>
            <PasskeysSection passkeys={security.passkeys} />
            <CodesSection left={security.recoveryCodesLeft} hasPassword={security.hasPassword} />
            <SessionsSection sessions={security.sessions} />
            <KeysSection />
            <section className={s.section} aria-labelledby="your-abilities">
              <h2 id="your-abilities">{t.yourRoles}</h2>
              {roles.length === 0 ? <p>{t.nothingYet}</p> : <Abilities person={t.youSubject} roles={roles} />}
            </section>
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
    </>
  );
}
