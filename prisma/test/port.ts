import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A free port below the range that the system assigns automatically, so that it stays free while nothing listens on it.
 */
export async function quietPort(host = "127.0.0.1"): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 30_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
