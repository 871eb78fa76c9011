import { vi } from "vitest";

// `boot.ts` and `offline.ts` read the page once, when they are first imported. Test files of a worker share them, whichever comes
// first.
vi.stubGlobal("document", {
  getElementById: () => null,
  documentElement: { getAttribute: () => null, hasAttribute: () => false },
});
await import("../src/lib/boot.ts");
await import("../src/lib/offline.ts");
vi.unstubAllGlobals();
