import { useMarketNow } from "@marketday/client/clock.ts";
import type { ApiError } from "@marketday/client/transport.ts";
import { hasUnsavedWork } from "@marketday/client/unsaved-work.ts";
import { PERMISSIONS } from "@marketday/domain/staff";
import { Button } from "@marketday/ui/button.tsx";
import { Icon, type IconName } from "@marketday/ui/icon/icon.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "react-router";

import { permissions } from "#messages/session";
import * as t from "#messages/shell";

import { onRefusal } from "../../lib/api.ts";
import { useLive } from "../../lib/live.ts";
import { useMe } from "../session/api.ts";
import { useHubFilter } from "./hub-filter.ts";

import s from "./notices.module.css";

/** What a person should know of the screen as a whole, above it: how old it is, a right that is missing, a market that is not there. */
export function Notices() {
  return (
    // On screen before there is anything to say: a region that comes with its text is often not read.
    <div role="status" aria-atomic="false">
      <StaleNotice />
      <UpdateNotice />
      <RefusalNotice />
      <MarketNotice />
    </div>
  );
}

interface NoticeProps {
  icon: IconName;
  children: ReactNode;
  action?: ReactNode;
}

const Notice = ({ icon, children, action }: NoticeProps) => (
  <div className={s.notice}>
    <span className={s.icon}>
      <Icon name={icon} size="sm" />
    </span>
    <p className={s.words}>{children}</p>
    {action}
  </div>
);

/** Until when the screen is current, while the server cannot be reached. */
function StaleNotice() {
  const { status, currentUntil } = useLive();
  const { hubs } = useMe();
  const now = useMarketNow();
  if (status !== "offline") return null;
  const at = currentUntil === null ? null : t.time(new Date(currentUntil), hubs[0]?.timeZone ?? "UTC", now);
  return (
    <Notice icon="clock">
      {[at === null ? null : t.asOf(at), navigator.onLine ? t.serverAway : t.youAreOffline]
        .filter((part) => part !== null)
        .join(" ")}
    </Notice>
  );
}

/** The server has another build: nothing is reloaded while something is unsaved. */
function UpdateNotice() {
  const { isOutdated } = useLive();
  if (!isOutdated) return null;
  return (
    <Notice
      icon="info"
      action={
        <Button
          kind="link"
          onClick={() => {
            if (hasUnsavedWork()) toast({ text: t.saveFirst, tone: "error" });
            else location.reload();
          }}
        >
          {t.reload}
        </Button>
      }
    >
      {t.updated}
    </Notice>
  );
}

/** What a refused call lacked, until the person leaves the screen. What they may do has been read again by then. */
function RefusalNotice() {
  const { pathname } = useLocation();
  const [refusal, setRefusal] = useState<{ words: string; at: string } | null>(null);
  useEffect(
    () =>
      onRefusal((error: ApiError) => {
        if (error.status === 403 && error.code === "forbidden")
          setRefusal({ words: wordsOf(error), at: location.pathname });
      }),
    [],
  );
  if (!refusal || refusal.at !== pathname) return null;
  return (
    <Notice
      icon="lock"
      action={
        <Button kind="link" onClick={() => setRefusal(null)}>
          {t.close}
        </Button>
      }
    >
      {`${refusal.words} ${t.askOwner}`}
    </Notice>
  );
}

/** The server's sentence says where, the permission says what. */
function wordsOf({ message, details }: ApiError): string {
  const permission = PERMISSIONS.find((one) => one === details["permission"]);
  return permission === undefined ? message : t.missing(message, permissions[permission]);
}

/** The market of the address is none that one may see. */
function MarketNotice() {
  const { unknownSlug, here } = useHubFilter();
  if (unknownSlug === null) return null;
  return (
    <Notice
      icon="pin"
      action={
        <Link to={here(null)} replace className={s.link}>
          {t.showAllMarkets}
        </Link>
      }
    >
      {t.unknownMarket(unknownSlug)}
    </Notice>
  );
}
