import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

/** Whether an overlay is the front one, by subscription: a page does not re-render when an overlay opens over it. */
class Front {
  private is: boolean;
  private readonly listeners = new Set<() => void>();
  constructor(is: boolean) {
    this.is = is;
  }
  get isFront(): boolean {
    return this.is;
  }
  set(is: boolean): void {
    if (this.is === is) return;
    this.is = is;
    for (const listener of this.listeners) listener();
  }
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }
}

const FrontContext = createContext(new Front(true));

/** Says whether what renders below is the front layer; only that one names the document. */
export function ActiveOverlay({ value, children }: { value: boolean; children: ReactNode }) {
  const [front] = useState(() => new Front(value));
  useEffect(() => front.set(value), [front, value]);
  return <FrontContext value={front}>{children}</FrontContext>;
}

/** A hook that names the document "{title} · {appName}" while this is the front layer; null leaves the name as it is. */
export const createUseTitle = (appName: string) =>
  function useTitle(title: string | null): void {
    const front = useContext(FrontContext);
    useEffect(() => {
      const name = () => {
        if (front.isFront && title) document.title = `${title} · ${appName}`;
      };
      name();
      return front.listen(name);
    }, [front, title]);
  };
