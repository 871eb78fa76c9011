import { setDefaultAutoSelectFamilyAttemptTimeout } from "node:net";

import { setTimeoutFactor } from "../src/pool.ts";
import { setRowChecking } from "../src/query.ts";

// Of two addresses of localhost the first is not given up because the machine is busy for a quarter of a second.
setDefaultAutoSelectFamilyAttemptTimeout(30_000);
// Nor is the database; what its limits do is tested with `patience: 1`.
setTimeoutFactor(30);

// Every hand-written statement that a test runs is held against its row schema.
setRowChecking(true);
