import { enableCompileCache } from "node:module";

// Enabled before everything else is loaded: halves the time of the second start.
enableCompileCache();
await import("./lib/start-market.ts").then(({ startMarket }) => startMarket());
