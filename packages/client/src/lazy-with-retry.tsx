import { REQUEST_DEADLINE_MS } from "@marketday/domain/limits";
import { type ComponentType, type ReactNode, use } from "react";

import { onChunkRetry } from "./chunk-retry.ts";
import { importAgain } from "./import-again.ts";
import { TAKES_LONG } from "./messages.ts";
import { hasUnsavedWork } from "./unsaved-work.ts";
import { readVersion } from "./version.ts";

interface Loaded<P> {
  default: ComponentType<P>;
}

/** A component whose code is split off. `load` fetches it ahead of time, ends at its deadline and never rejects. */
export interface LazyWithRetry<P extends object> {
  (props: P): ReactNode;
  load: () => Promise<void>;
}

/**
 * Split-off code, as `React.lazy` has it, except that a load which failed can be tried again: a browser keeps a failed
 * import for as long as the page lives, and `lazy` the promise of it. Failing is what the error boundary around it sees. A load
 * that is not there by its deadline has failed (failures.md M10); one that arrives later is used by the next render that tries.
 */
export function lazyWithRetry<P extends object>(load: () => Promise<Loaded<P>>): LazyWithRetry<P> {
  let promise: Promise<Loaded<P>> | null = null;
  let shown: Promise<Loaded<P>> | null = null;
  let failure: unknown = null;
  let loaded: Loaded<P> | null = null;
  let timeouts = 0;
  let wasShown = false;
  let setArrived: (module: Loaded<P>) => void;
  const arrived = new Promise<Loaded<P>>((resolve) => (setArrived = resolve));
  const arrive = (module: Loaded<P>) => {
    loaded ??= module;
    failure = null;
    setArrived(loaded);
    return loaded;
  };
  const fetch = () =>
    (promise ??= inTime((over) => [
      arrived,
      (failure === null ? load() : loadAgain(load, { failure, isStuck: timeouts > 1, wasShown, over })).then(arrive),
    ]).catch((error: unknown) => {
      failure = error ?? true;
      promise = null;
      if (error instanceof LoadTimeout) timeouts += 1;
      throw error;
    }));
  function Content(props: P) {
    // Already here: drawn at once, without a fallback in between.
    if (loaded && !shown && failure === null) return <loaded.default {...props} />;
    // The failed promise is kept until it was shown: a render must not retry automatically.
    shown ??= fetch().catch((error: unknown) => {
      onChunkRetry(error, () => {
        shown = null;
        wasShown = true;
      });
      throw error;
    });
    const { default: Loaded } = use(shown);
    return <Loaded {...props} />;
  }
  Content.load = () =>
    fetch().then(
      () => {},
      () => {},
    );
  return Content;
}

/** A load that was not there by its deadline. */
class LoadTimeout extends Error {
  override name = "LoadTimeout";
}

/** What to say of a part of the page that did not load: it takes long, or else `message`. */
export const wordsForLoad = (error: unknown, message: string): string =>
  error instanceof LoadTimeout ? TAKES_LONG : message;

/** The first of the loads that `start` returns. They have 15 s, as a call of the API has; then `over` is aborted. @throws LoadTimeout */
async function inTime<T>(start: (over: AbortSignal) => readonly Promise<T>[]): Promise<T> {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new LoadTimeout("A part of the page did not load in time.")), REQUEST_DEADLINE_MS);
  });
  try {
    return await Promise.race([...start(over.signal), deadline]);
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

interface Failed {
  failure: unknown;
  /** Another load of the file does not help either: it hangs. */
  isStuck: boolean;
  /** The shopper was shown the failure and tries again. */
  wasShown: boolean;
  /** The try has ended: the shopper may be elsewhere. */
  over: AbortSignal;
}

/**
 * Loads a file again. Where that does not help (one of its imports failed, or hangs) and the market answers, the page is reloaded,
 * and its overlays come back: only when the shopper pressed Retry, since a prefetch fails without a word.
 */
async function loadAgain<P>(
  load: () => Promise<Loaded<P>>,
  { failure, isStuck, wasShown, over }: Failed,
): Promise<Loaded<P>> {
  try {
    if (isStuck) throw failure;
    await repairStyles();
    const again: Partial<Loaded<P>> = await importAgain(load);
    if (typeof again.default === "function") return again as Loaded<P>;
    throw failure;
  } catch (error) {
    if (!wasShown || (await readVersion()) === null || over.aborted || hasUnsavedWork()) throw error;
    location.reload();
    return new Promise(() => {});
  }
}

/** Style sheets that failed to load: the import that requested them failed, another one does not request them. */
const lostStyles = new Set<HTMLLinkElement>();
const isStyle = (target: EventTarget | null): target is HTMLLinkElement =>
  target instanceof HTMLLinkElement && target.rel === "stylesheet";
addEventListener("error", ({ target }) => void (isStyle(target) && lostStyles.add(target)), true);

async function repairStyles(): Promise<void> {
  // The others without a sheet are on their way, or hang.
  const lost = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].filter(
    (link) => lostStyles.has(link) || !link.sheet,
  );
  lostStyles.clear();
  await Promise.all(
    lost.map(
      (link) =>
        new Promise<void>((done, fail) => {
          const fresh = link.cloneNode() as HTMLLinkElement;
          fresh.addEventListener("load", () => done());
          fresh.addEventListener("error", () => fail(new Error(`No styles from ${fresh.href}`)));
          link.replaceWith(fresh);
        }),
    ),
  );
}
