import { enableCompileCache } from "node:module";

// Before everything else is loaded: the second start then takes half the time.
enableCompileCache();
await import("./lib/start-market.ts").then(({ startMarket }) => startMarket());
