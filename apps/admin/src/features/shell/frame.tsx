import { useChunkRetry } from "@marketday/client/chunk-retry.ts";
import { wordsForLoad } from "@marketday/client/lazy-with-retry.tsx";
import { useIsDesktop } from "@marketday/client/use-media.ts";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { LiveRegion } from "@marketday/ui/live-region.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { Toaster } from "@marketday/ui/toaster.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type MouseEvent, type ReactNode, Suspense, useEffect, useState } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";
import { useLocation } from "react-router";

import * as t from "#messages/shell";

import { followServer } from "../../lib/live.ts";
import { OwnActions } from "../actions/own-actions.tsx";
import { RecentChanges } from "../actions/recent-changes.tsx";
import { sessionQuery } from "../session/api.ts";
import { useShownOnce } from "../session/shown-once.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { MobileHeader } from "./mobile-header.tsx";
import { Notices } from "./notices.tsx";
import { Palette } from "./palette.tsx";
import { Rail } from "./rail.tsx";
import { useShortcutKeys } from "./shortcuts.ts";
import { TabBar } from "./tab-bar.tsx";
import { TopBar } from "./top-bar.tsx";
import { useFrameActions } from "./use-frame-actions.ts";
import { useFrameKeys } from "./use-frame-keys.ts";
import { useWeek } from "./use-week.ts";

import s from "./frame.module.css";

type Open = "palette" | "keys" | "changes" | null;

/** The frame around every screen: rail and top bar, or header and tabs on a small screen; the palette, the keys, the notices. */
export function Frame({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const isSignedIn = session !== undefined && session.me !== null;
  const isDesktop = useIsDesktop();
  const { pathname } = useLocation();
  const week = useWeek();
  const { isShown: isSecretShown } = useShownOnce();
  const [open, setOpen] = useState<Open>(null);
  const actions = useFrameActions({
    listKeys: () => setOpen("keys"),
    listChanges: () => setOpen("changes"),
    // Ctrl K works in dialogs too: a secret that is shown once is copied first.
    search: () => !isSecretShown && setOpen("palette"),
  });
  useFrameKeys({ week, actions });
  useShortcutKeys();

  useEffect(() => (isSignedIn ? followServer(client) : undefined), [client, isSignedIn]);

  const close = () => setOpen(null);
  const marketName = session?.marketName ?? "";
  return (
    <div className={s.frame}>
      <a className="skip" href="#main" onClick={skip}>
        {t.skip}
      </a>
      {isDesktop ? (
        <>
          <div className={s.rail}>
            <Rail marketName={marketName} week={week} />
          </div>
          <header className={s.top}>
            <TopBar actions={actions} />
          </header>
        </>
      ) : (
        <header className={s.header}>
          <MobileHeader marketName={marketName} actions={actions} />
        </header>
      )}
      <main id="main" tabIndex={-1} className={s.sheet}>
        <Notices />
        <ErrorBoundary resetKeys={[pathname]} FallbackComponent={ScreenFailed}>
          <Suspense fallback={bones}>{children}</Suspense>
        </ErrorBoundary>
      </main>
      {!isDesktop && <TabBar week={week} actions={actions} />}
      {open === "palette" && <Palette week={week} actions={actions} onClose={close} />}
      {open === "keys" && <KeysDialog onClose={close} />}
      {open === "changes" && <RecentChanges onClose={close} />}
      <OwnActions isHidden={open === "changes"} />
      <Toaster />
      <LiveRegion />
    </div>
  );
}

/** The address stays: a fragment would be another entry of the history. */
function skip(event: MouseEvent) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

const bones = (
  <div className={s.bones}>
    <Skeleton label={t.loadingScreen}>
      <SkeletonPart kind="title" width="third" />
      <SkeletonPart kind="row" />
      <SkeletonPart kind="row" />
      <SkeletonPart kind="row" />
    </Skeleton>
  </div>
);

function ScreenFailed({ error, resetErrorBoundary }: FallbackProps) {
  const retry = useChunkRetry(error, resetErrorBoundary);
  return (
    <div className={s.bones}>
      <h1>{t.failedTitle}</h1>
      <ErrorState message={wordsForLoad(error, t.screenFailed)} retryLabel={t.tryAgain} onRetry={retry} />
    </div>
  );
}
