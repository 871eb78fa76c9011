import type { Me } from "@marketday/contracts/admin/session";
import { Banner } from "@marketday/ui/banner.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";

import * as t from "#messages/shell";

import { onRefusal } from "../../lib/api.ts";
import { adoptMe, followRefusal, MeContext, sessionQuery } from "../session/api.ts";
import { SignInPage } from "../session/sign-in-page.tsx";
import { SignIn } from "../session/sign-in.tsx";

import s from "./session-gate.module.css";

/**
 * Shows `children` to someone who is signed in, and the sign-in at the same address to anyone else. When the session ends in the middle
 * of work, the sign-in opens over the page, which keeps what was typed; another person's page begins from nothing.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const { data, isError, isPending, refetch } = useQuery(sessionQuery);
  const [shown, setShown] = useState<Me | null>(null);
  const me = data?.me ?? null;
  if (me && me !== shown) setShown(me);

  useEffect(() => onRefusal((error) => void followRefusal(client, error)), [client]);

  if (!data) {
    if (isPending || !isError)
      return (
        <div className={s.bones}>
          <Skeleton label={t.loadingApp}>
            <SkeletonPart kind="title" width="third" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
          </Skeleton>
        </div>
      );
    return (
      <main className={s.failed}>
        <h1>{t.failedTitle}</h1>
        <ErrorState message={t.sessionFailed} retryLabel={t.tryAgain} onRetry={() => void refetch()}>
          {t.sessionFailedHint}
        </ErrorState>
      </main>
    );
  }

  const { marketName, passkeysWork } = data;
  const adopt = (next: Me) => adoptMe(client, next);
  const current = me ?? shown;
  if (!current) return <SignInPage marketName={marketName} passkeysWork={passkeysWork} onSignedIn={adopt} />;
  return (
    <MeContext value={current}>
      <div key={current.id}>{children}</div>
      {!me && (
        <Dialog>
          <DialogBody>
            <Stack gap={4}>
              <Banner tone="warning">{t.sessionEnded}</Banner>
              <SignIn passkeysWork={passkeysWork} onSignedIn={adopt} heading={titleOf} />
            </Stack>
          </DialogBody>
        </Dialog>
      )}
    </MeContext>
  );
}

const titleOf = (title: string) => <DialogTitle>{title}</DialogTitle>;
