import type { Env } from "../env.ts";

/** Where the market is on the web, without a slash at its end: `PUBLIC_URL`, or the local address where it is not set. */
export const marketUrl = ({ publicUrl, port }: Pick<Env, "publicUrl" | "port">): string =>
  publicUrl ?? `http://localhost:${port}`;
