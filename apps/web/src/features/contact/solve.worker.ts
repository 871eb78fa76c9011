import { type Challenge, solveChallenge } from "altcha-lib";

import { deriveKey } from "./derive-key.ts";

/** Solves one puzzle away from the page, which stays quick, and answers with what it found: null when it took too long. */
addEventListener("message", ({ data }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge: data, deriveKey, timeout: 60_000 }).then(
    (solution) => postMessage(solution),
    () => postMessage(null),
  );
});
