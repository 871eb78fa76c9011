import { vi } from "vitest";

// `boot.ts` reads the page once, when it is first imported. Test files of a worker share it, whichever comes first.
vi.stubGlobal("document", { getElementById: () => null });
await import("../src/lib/boot.ts");
vi.unstubAllGlobals();
