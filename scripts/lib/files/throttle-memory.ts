import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** About this many rows make 15 MB of garbage. */
const ROWS = 1_250;
let collect: (() => void) | undefined;

/**
 * Passes rows on and collects garbage every `ROWS` rows. Without it the process takes most of the memory of the machine
 * before it collects, which an import beside a running server must not do.
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
