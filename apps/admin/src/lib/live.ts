import { deviceNow } from "@marketday/client/clock.ts";
import { onReturn } from "@marketday/client/on-return.ts";
import type { LiveEvents } from "@marketday/contracts/admin/events";
import type { Query, QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

/**
 * `connecting`: the page has just been opened; `live`: what is shown follows the server; `reconnecting`: it is read once a minute
 * meanwhile; `offline`: it cannot be read.
 */
type LiveStatus = "connecting" | "live" | "reconnecting" | "offline";

interface Live {
  status: LiveStatus;
  /** Until when what is shown is known to be current, by the device, ms; null: now, or it was never live. */
  currentUntil: number | null;
  /** The server has another build of the app than when the page began to listen. */
  isOutdated: boolean;
}

/** Time between two reads that no event causes, ms. */
const POLL_MS = 60_000;
/** What becomes old without an event, by the first part of the key: steps become late, and problems and backups send none. */
const AGING = ["today", "day"] as const;
/** Events of one change come together: they are one refetch, ms. */
const TOGETHER_MS = 200;
/** From the answers of a refetch to the next one, ms: at a cutoff events come without a pause. */
const PAUSE_MS = 3_000;
/** Before a stream that the server refused is opened again, ms; the browser reopens those that broke off. */
const REOPEN_MS = [5_000, 15_000, 30_000, 60_000] as const;

/** By the first part of their key, the queries that an event makes old; null: all. */
const OLD: { [Name in keyof LiveEvents]: readonly string[] | null } = {
  ready: [],
  orders: ["today", "day", "order", "orders", "actions", "customer", "payouts"],
  day: ["today", "day", "order", "orders", "actions", "customer", "payouts"],
  staff: ["session", "staff", "security", "api-keys"],
  audit: ["audit", "payouts"],
  products: ["offers"],
  reread: null,
};

const FIRST: Live = { status: "connecting", currentUntil: null, isOutdated: false };
let live = FIRST;
const listeners = new Set<() => void>();
function change(next: Partial<Live>): void {
  live = { ...live, ...next };
  for (const listener of listeners) listener();
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** How current the page is. */
export const readLive = (): Live => live;
export const useLive = (): Live =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, readLive);

/**
 * Follows the server by its stream of events, for as long as someone is signed in: an event refetches the queries that it makes old.
 * All of them are refetched after a reconnect and when the tab comes back, and once a minute while there is no stream. The
 * deliveries are refetched once a minute with a stream too. Returns what ends it.
 */
export function followServer(client: QueryClient): () => void {
  let source: EventSource | undefined;
  let reopen: ReturnType<typeof setTimeout> | undefined;
  let refusals = 0;
  let wasOpen = false;
  let build: string | null = null;
  const old = new Set<string>();
  let areAllOld = false;
  let isRefetching = false;
  let isEnded = false;

  /** Refetches what is on screen. Whether the server answered. */
  const reread = async (): Promise<void> => {
    // What is not on screen is read when it is shown again.
    void client.invalidateQueries({ type: "inactive", refetchType: "none" });
    try {
      await client.refetchQueries({ type: "active" }, { throwOnError: true });
      if (live.status !== "live") change({ status: "reconnecting", currentUntil: deviceNow() });
    } catch (error) {
      // Its queries are removed when another person signs in.
      if (isEnded) return;
      // A refusal is an answer.
      const status = (error as { status?: number }).status;
      if (status === undefined && live.status !== "live") change({ status: "offline" });
    }
  };

  const refetchOld = async (): Promise<void> => {
    const names = new Set(old);
    const isAll = areAllOld;
    old.clear();
    areAllOld = false;
    const isOld = ({ queryKey }: Query) => isAll || names.has(String(queryKey[0]));
    // An answer that is under way may be older than the change: it is awaited, and read once more.
    for (const { queryKey } of client.getQueryCache().findAll({ fetchStatus: "fetching", predicate: isOld }))
      old.add(String(queryKey[0]));
    await client.invalidateQueries({ predicate: isOld }, { cancelRefetch: false });
  };
  /** Refetches what is old, one refetch at a time, until nothing is. */
  const refetchWhileOld = async (): Promise<void> => {
    isRefetching = !isEnded && (areAllOld || old.size > 0);
    if (!isRefetching) return;
    await refetchOld();
    await pause(PAUSE_MS);
    void refetchWhileOld();
  };
  const expire = (names: readonly string[] | null) => {
    if (names === null) areAllOld = true;
    else for (const name of names) old.add(name);
    if (isRefetching) return;
    isRefetching = true;
    void pause(TOGETHER_MS).then(refetchWhileOld);
  };

  const lose = () => {
    if (live.status === "live") change({ currentUntil: deviceNow() });
    change({ status: navigator.onLine ? "reconnecting" : "offline" });
  };

  const open = () => {
    clearTimeout(reopen);
    source?.close();
    const stream = new EventSource("/api/admin/events");
    source = stream;
    stream.addEventListener("ready", ({ data }: MessageEvent<string>) => {
      const ready = JSON.parse(data) as LiveEvents["ready"];
      refusals = 0;
      change({
        status: "live",
        currentUntil: null,
        isOutdated: live.isOutdated || (build !== null && ready.build !== null && build !== ready.build),
      });
      build ??= ready.build;
      // Nothing is replayed.
      if (wasOpen) void reread();
      // What changed between the first read and now was announced to no one.
      else expire(AGING);
      wasOpen = true;
    });
    for (const [name, queries] of Object.entries(OLD))
      if (name !== "ready") stream.addEventListener(name, () => expire(queries));
    stream.addEventListener("error", () => {
      lose();
      if (stream.readyState !== EventSource.CLOSED) return;
      // It was refused. The session may have ended: then the sign-in opens, and the stream after it.
      void client.invalidateQueries({ queryKey: ["session"] });
      reopen = setTimeout(open, REOPEN_MS[Math.min(refusals++, REOPEN_MS.length - 1)]);
    });
  };

  const poll = setInterval(() => {
    if (document.visibilityState !== "visible") return;
    if (live.status === "live") expire(AGING);
    else void reread();
  }, POLL_MS);
  const stopReturn = onReturn(() => {
    // A page that comes from the browser's memory has lost its stream without an event.
    if (source?.readyState === EventSource.CLOSED) open();
    void reread();
  });
  const onOnline = () => {
    change({ status: "reconnecting" });
    open();
    void reread();
  };
  addEventListener("online", onOnline);
  addEventListener("offline", lose);
  open();

  return () => {
    isEnded = true;
    source?.close();
    clearTimeout(reopen);
    clearInterval(poll);
    stopReturn();
    removeEventListener("online", onOnline);
    removeEventListener("offline", lose);
    change(FIRST);
  };
}
