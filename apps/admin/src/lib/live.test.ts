import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { followServer, readLive } from "./live.ts";

/** The browser's `EventSource`, driven by the test. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static readonly opened: FakeSource[] = [];
  readyState = 0;
  constructor() {
    super();
    FakeSource.opened.push(this);
  }
  send(name: string, data: unknown = {}) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }
  fail(readyState: number) {
    this.readyState = readyState;
    this.dispatchEvent(new Event("error"));
  }
  close() {
    this.readyState = FakeSource.CLOSED;
  }
}

const online = { onLine: true };
let stop: () => void;
let client: QueryClient;
let reads: Record<string, number>;
let isAway: boolean;
/** Time of a read, ms. */
let readMs: number;
/** Reads that were canceled before their answer. */
let canceled: number;

/** A query on screen, whose reads are counted. */
function watch(key: string) {
  reads[key] = 0;
  const queryFn = async ({ signal }: { signal: AbortSignal }) => {
    if (isAway) throw new TypeError("Failed to fetch");
    reads[key]! += 1;
    signal.addEventListener("abort", () => void (canceled += 1));
    if (readMs > 0) await new Promise((resolve) => void setTimeout(resolve, readMs));
    return reads[key];
  };
  return new QueryObserver(client, { queryKey: [key], queryFn, retry: false, staleTime: Infinity }).subscribe(() => {});
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeSource);
  vi.stubGlobal("navigator", online);
  const page = new EventTarget();
  vi.stubGlobal("document", Object.assign(page, { visibilityState: "visible" }));
  const events = new EventTarget();
  vi.stubGlobal("addEventListener", events.addEventListener.bind(events));
  vi.stubGlobal("removeEventListener", events.removeEventListener.bind(events));
  client = new QueryClient();
  reads = {};
  isAway = false;
  readMs = 0;
  canceled = 0;
  online.onLine = true;
  for (const key of ["session", "today", "day", "staff", "security", "api-keys"]) watch(key);
  stop = followServer(client);
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(() => {
  stop();
  client.clear();
  FakeSource.opened.length = 0;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const source = () => FakeSource.opened.at(-1)!;
const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const ONCE = { session: 1, today: 1, day: 1, staff: 1, security: 1, "api-keys": 1 };
const TWICE = { session: 2, today: 2, day: 2, staff: 2, security: 2, "api-keys": 2 };

test("live: an event refetches what it makes old and nothing else, several together once", async () => {
  source().send("ready", { build: "a" });
  expect(readLive().status).toBe("live");
  source().send("orders", { hubId: 1, deliveryId: 2 });
  source().send("orders", { hubId: 1, deliveryId: 2 });
  source().send("day", { hubId: 1, deliveryId: 2 });
  await passes(300);
  expect(reads).toEqual({ ...ONCE, today: 2, day: 2 });
  source().send("staff");
  await passes(3_300);
  expect(reads).toEqual(TWICE);
});

test("live: events without a pause are one refetch at a time, 3 s apart, each of which is answered", async () => {
  source().send("ready", { build: "a" });
  readMs = 1_000;
  for (let sent = 0; sent < 100; sent += 1) {
    source().send("orders", { hubId: 1, deliveryId: sent });
    await passes(100);
  }
  // 10 s: refetches begin after 0.2, 4.2 and 8.2 s.
  expect(reads).toEqual({ ...ONCE, today: 4, day: 4 });
  expect(canceled).toBe(0);
  await passes(20_000);
  // The last events came during the third: one more.
  expect(reads).toEqual({ ...ONCE, today: 5, day: 5 });
});

test("live: a read that began before an event is not canceled, and what it reads is read once more", async () => {
  source().send("ready", { build: "a" });
  readMs = 1_000;
  void client.refetchQueries({ queryKey: ["today"] });
  await passes(100);
  source().send("orders", { hubId: 1, deliveryId: 2 });
  await passes(30_000);
  expect(reads).toEqual({ ...ONCE, today: 3, day: 2 });
  expect(canceled).toBe(0);
});

test("live: while the stream works the deliveries are read once a minute, because a step becomes late without an event", async () => {
  source().send("ready", { build: "a" });
  await passes(601_000);
  expect(reads).toEqual({ ...ONCE, today: 12, day: 12 });
});

test("live: a hidden tab with a stream is not read each minute", async () => {
  source().send("ready", { build: "a" });
  Object.assign(document, { visibilityState: "hidden" });
  await passes(601_000);
  expect(reads).toEqual({ ...ONCE, today: 2, day: 2 });
});

test("live: what changed before the stream was there is read when it is, and a screen that is not shown when it is shown again", async () => {
  const leave = watch("late");
  await passes(0);
  leave();
  source().send("ready", { build: "a" });
  await passes(300);
  expect(reads).toEqual({ ...ONCE, today: 2, day: 2, late: 1 });
  source().fail(0);
  source().send("ready", { build: "a" });
  await passes(300);
  expect(client.getQueryState(["late"])).toMatchObject({ isInvalidated: true });
});

test(
  "live: after a reconnect everything on screen is read again, because nothing is replayed",
  { tags: ["fail:N15"] },
  async () => {
    source().send("ready", { build: "a" });
    source().fail(0);
    expect(readLive().status).toBe("reconnecting");
    source().send("ready", { build: "a" });
    await passes(0);
    expect(readLive().status).toBe("live");
    expect(reads).toEqual(TWICE);
  },
);

test("live: without a stream the screen is read once a minute", async () => {
  source().fail(0);
  await passes(59_000);
  expect(reads["today"]).toBe(1);
  await passes(61_000);
  expect(reads["today"]).toBe(3);
});

test("live: a refused stream reads the session, and is opened again later and later", async () => {
  source().fail(FakeSource.CLOSED);
  await passes(0);
  expect(reads["session"]).toBe(2);
  expect(FakeSource.opened).toHaveLength(1);
  await passes(5_000);
  expect(FakeSource.opened).toHaveLength(2);
  source().fail(FakeSource.CLOSED);
  await passes(5_000);
  expect(FakeSource.opened).toHaveLength(2);
  await passes(10_000);
  expect(FakeSource.opened).toHaveLength(3);
});

test("live: a server that cannot be read makes the screen stale since the stream was lost", async () => {
  source().send("ready", { build: "a" });
  const lostAt = Date.now();
  source().fail(0);
  isAway = true;
  await passes(60_000);
  expect(readLive()).toMatchObject({ status: "offline", currentUntil: lostAt });
  isAway = false;
  source().send("ready", { build: "a" });
  expect(readLive()).toMatchObject({ status: "live", currentUntil: null });
});

test("live: another build than the first makes the page outdated", () => {
  source().send("ready", { build: "a" });
  expect(readLive().isOutdated).toBe(false);
  source().send("ready", { build: "b" });
  expect(readLive().isOutdated).toBe(true);
});

test("live: what ends it closes the stream and refetches nothing more", async () => {
  source().send("ready", { build: "a" });
  const last = source();
  stop();
  expect(last.readyState).toBe(FakeSource.CLOSED);
  last.send("orders", { hubId: 1, deliveryId: 2 });
  await passes(120_000);
  expect(reads).toEqual(ONCE);
});
