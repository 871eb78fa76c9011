import { type ComponentType, type ReactNode, use } from "react";

import { onChunkRetry } from "./chunk-retry.ts";
import { hasUnsavedWork } from "./unsaved-work.ts";

interface Loaded<P> {
  default: ComponentType<P>;
}

/** A component whose code is split off. `load` fetches it ahead of time and never fails loudly. */
export interface LazyWithRetry<P extends object> {
  (props: P): ReactNode;
  load: () => Promise<void>;
}

/**
 * Split-off code, as `React.lazy` has it, except that a load which failed can be tried again: a browser keeps a failed
 * import for as long as the page lives, and `lazy` the promise of it. Failing is what the error boundary around it sees.
 */
export function lazyWithRetry<P extends object>(load: () => Promise<Loaded<P>>): LazyWithRetry<P> {
  let promise: Promise<Loaded<P>> | null = null;
  let shown: Promise<Loaded<P>> | null = null;
  let failure: unknown = null;
  let loaded: Loaded<P> | null = null;
  const fetch = () =>
    (promise ??= (failure === null ? load() : loadAgain(load, failure)).then(
      (module) => (loaded = module),
      (error: unknown) => {
        failure = error ?? true;
        promise = null;
        throw error;
      },
    ));
  function Content(props: P) {
    // Already here: drawn at once, without a fallback in between.
    if (loaded && !shown && failure === null) return <loaded.default {...props} />;
    // The failed promise is kept until it was shown: a render must not retry automatically.
    shown ??= fetch().catch((error: unknown) => {
      onChunkRetry(error, () => (shown = null));
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

let tries = 0;

/**
 * The same file under another URL, because the browser does not fetch a failed module again. Where that does not help
 * (one of its imports failed) and the market answers, the page is reloaded; its overlays come back.
 */
async function loadAgain<P>(load: () => Promise<Loaded<P>>, failure: unknown): Promise<Loaded<P>> {
  try {
    await repairStyles();
    const [address] = /https?:\/\/[^\s?]+\.js/.exec(String(failure)) ?? [];
    tries += 1;
    const again = address
      ? ((await import(/* @vite-ignore */ `${address}?try=${tries}`)) as Partial<Loaded<P>>)
      : await load();
    if (typeof again.default === "function") return again as Loaded<P>;
    throw failure;
  } catch (error) {
    const answer = await fetch("/version.json", { cache: "no-store" }).catch(() => null);
    if (!answer?.ok || hasUnsavedWork()) throw error;
    location.reload();
    return new Promise(() => {});
  }
}

/** Style sheets that did not arrive: the import that wanted them failed, another one would not ask for them. */
const lostStyles = new Set<HTMLLinkElement>();
const isStyle = (target: EventTarget | null): target is HTMLLinkElement =>
  target instanceof HTMLLinkElement && target.rel === "stylesheet";
addEventListener("error", ({ target }) => void (isStyle(target) && lostStyles.add(target)), true);

async function repairStyles(): Promise<void> {
  const lost = [...lostStyles].filter(({ isConnected }) => isConnected);
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
