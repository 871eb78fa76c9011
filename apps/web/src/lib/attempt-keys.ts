import { createAttemptKeys } from "@marketday/client/forms/attempt-keys.ts";

import { shopStorage } from "./storage.ts";

/** The shop's writes whose result is not known. */
export const attemptKeys = createAttemptKeys(shopStorage);
