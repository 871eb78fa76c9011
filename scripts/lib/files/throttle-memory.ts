import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** About this many rows make 15 MB of garbage. */
const ROWS = 1_250;
let collect: (() => void) | undefined;

/**
 * Passes rows on, and every now and then lets go of those that have gone. Left alone, the process would take as much
 * memory as the machine has before it looks for what it no longer needs: an import beside a running server must not.
 */
export async function* throttleMemory<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
  setFlagsFromString("--expose-gc");
  collect ??= runInNewContext("gc") as () => void;
  let count = 0;
  for await (const row of rows) {
    yield row;
    count += 1;
    if (count % ROWS === 0) collect();
  }
}
