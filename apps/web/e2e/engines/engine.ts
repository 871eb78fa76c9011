/** A browser window that a flow drives, whatever its protocol. Positions are CSS pixels of the viewport. */
export interface Engine {
  /** As shown in the report: "Firefox 153.7". */
  name: string;
  /** Loads an address and waits until the document has loaded. */
  goto(url: string): Promise<void>;
  /** Runs `fn` in the page with JSON arguments and returns its JSON result. */
  evaluate<A extends unknown[], T>(fn: (...args: A) => T, ...args: A): Promise<T>;
  clickAt(point: { x: number; y: number }): Promise<void>;
  /** Types into the element that has the focus. */
  type(text: string): Promise<void>;
  resize(size: { width: number; height: number }): Promise<void>;
  /** A PNG of the viewport. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

/** The source of an expression that calls `fn` with `args` and gives its result as JSON, the same for each protocol. */
export const expressionOf = (fn: (...args: never[]) => unknown, args: readonly unknown[]): string =>
  `JSON.stringify((${fn.toString()})(...${JSON.stringify(args)})) ?? "null"`;

/** A browser that is not here, with what a person would install. */
export class NotInstalled extends Error {}
