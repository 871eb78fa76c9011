import { marketNow } from "@marketday/client/clock.ts";
import type { Me } from "@marketday/contracts/admin/session";
import { Awning } from "@marketday/ui/awning.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import type { ReactNode } from "react";

import * as t from "#messages/session";

import { useTitle } from "../../lib/use-title.ts";
import { SignIn } from "./sign-in.tsx";
import { deviceDay } from "./when.ts";

import s from "./sign-in-page.module.css";

interface SignInPageProps {
  marketName: string;
  passkeysWork: boolean;
  onSignedIn: (me: Me) => void | Promise<void>;
}

const pageHeading = (title: string) => <h1>{title}</h1>;

/** The back office before one is signed in. */
export function SignInPage({ marketName, passkeysWork, onSignedIn }: SignInPageProps) {
  useTitle(t.signInTitle);
  return (
    <FrontPage marketName={marketName}>
      <SignIn passkeysWork={passkeysWork} onSignedIn={onSignedIn} heading={pageHeading} />
      <p className={s.safe}>
        <Icon name="lock" size="sm" />
        <span>{passkeysWork ? t.staySignedIn : t.staySignedInPassword}</span>
      </p>
    </FrontPage>
  );
}

/** A page without the frame, before one is signed in: today's calendar leaf, and beside it what there is to do. */
export function FrontPage({ marketName, children }: { marketName: string; children: ReactNode }) {
  const today = deviceDay(marketNow());
  return (
    <div className={s.page}>
      <header className={s.head}>
        <div className={s.bar}>
          <Icon name="wagon" size="lg" />
          <span className={s.market}>{marketName}</span>
          <span className={s.office}>{t.backOffice}</span>
        </div>
        <Awning />
      </header>
      <main className={s.middle}>
        <div className={s.card}>
          <div className={s.leaf} aria-hidden="true">
            <b className={s.weekday}>{t.weekday(today)}</b>
            <strong className={s.number}>{t.dayNumber(today)}</strong>
            <span className={s.month}>{t.monthAndYear(today)}</span>
          </div>
          <div className={s.content}>{children}</div>
        </div>
      </main>
    </div>
  );
}
