import { fileURLToPath } from "node:url";

import { build } from "vite";

/** The app's code of `page.tsx` as one script, which runs once for each page. */
export async function bundlePage(): Promise<string> {
  const result = await build({
    configFile: false,
    root: fileURLToPath(new URL("..", import.meta.url)),
    logLevel: "error",
    mode: "production",
    // Production's code, whatever runs this.
    oxc: { jsx: { runtime: "automatic", importSource: "@marketday/ui", development: false } },
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      minify: false,
      target: "esnext",
      lib: { entry: fileURLToPath(new URL("page.tsx", import.meta.url)), formats: ["iife"], name: "marketdayPage" },
    },
  });
  const [first] = Array.isArray(result) ? result : [result];
  const chunk = first && "output" in first ? first.output.find(({ type }) => type === "chunk") : undefined;
  if (chunk?.type !== "chunk") throw new Error("the page was not built");
  return chunk.code;
}
