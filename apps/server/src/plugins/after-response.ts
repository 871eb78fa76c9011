import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";

declare module "fastify" {
  interface FastifyInstance {
    /** Registers work that no response waits for; the server closes after it is done. The work must handle its errors. */
    afterResponse(work: Promise<void>): void;
    /** Settles when all such work is done. */
    settled(): Promise<void>;
  }
}

/** Work that continues after its response was sent, because the response time would reveal something. */
export default fp(
  async (app: FastifyInstance) => {
    const running = new Set<Promise<void>>();
    const settled = async () => {
      while (running.size > 0) await Promise.all(running);
    };
    app.decorate("afterResponse", (work: Promise<void>) => {
      running.add(work);
      void work.finally(() => running.delete(work));
    });
    app.decorate("settled", settled);
    app.addHook("onClose", settled);
  },
  { name: "after-response" },
);
