import { createChallenge, solveChallenge, verifySolution } from "altcha-lib";
import { deriveKey as deriveByServer } from "altcha-lib/algorithms/pbkdf2";
import { expect, test } from "vitest";

import { deriveByScript, deriveKey } from "./derive-key.ts";

const secrets = { hmacSignatureSecret: "one", hmacKeySignatureSecret: "two" };

test.each([
  ["by the browser", deriveKey],
  ["in script, on plain http", deriveByScript],
])("the puzzle is solved %s as the server wants it", { tags: ["spec:7.12-04"] }, async (_, derive) => {
  const challenge = await createChallenge({
    algorithm: "PBKDF2/SHA-256",
    cost: 50,
    counter: 7,
    deriveKey: deriveByServer,
    ...secrets,
  });
  const solution = await solveChallenge({ challenge, deriveKey: derive });
  expect(solution?.counter).toBe(7);
  const { verified } = await verifySolution({ challenge, solution: solution!, deriveKey: deriveByServer, ...secrets });
  expect(verified).toBe(true);
});
