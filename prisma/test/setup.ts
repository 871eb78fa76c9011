import { setDefaultAutoSelectFamilyAttemptTimeout } from "node:net";

import { setTimeoutFactor } from "../src/pool.ts";
import { setRowChecking } from "../src/query.ts";

// On a busy machine the first of two addresses of localhost gets more than a quarter of a second.
setDefaultAutoSelectFamilyAttemptTimeout(30_000);
// Timeouts of the database are longer too; tests of the timeouts use `timeoutFactor: 1`.
setTimeoutFactor(30);

// The rows of every hand-written statement are checked against their schema.
setRowChecking(true);
