import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A free port of this machine that nobody is given by chance: it lies below those a system deals out by itself, so that
 * it is still free after a while in which nobody listened on it.
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
