import { Writable } from "node:stream";

import { pino } from "pino";

/** A log of a server at the level info, and its lines so far. */
export function captureLog() {
  const lines: string[] = [];
  const log = pino(
    { level: "info" },
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  return { log, lines };
}
