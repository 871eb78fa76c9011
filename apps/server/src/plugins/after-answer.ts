import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";

declare module "fastify" {
  interface FastifyInstance {
    /** Keeps work that no response waits for until it is done: the server closes after it. The work handles its errors. */
    afterAnswer(work: Promise<void>): void;
    /** Settles when all such work is done. */
    settled(): Promise<void>;
  }
}

/** Work that goes on after its response was sent, because waiting for it would tell something. */
export default fp(
  async (app: FastifyInstance) => {
    const running = new Set<Promise<void>>();
    const settled = async () => {
      while (running.size > 0) await Promise.all(running);
    };
    app.decorate("afterAnswer", (work: Promise<void>) => {
      running.add(work);
      void work.finally(() => running.delete(work));
    });
    app.decorate("settled", settled);
    app.addHook("onClose", settled);
  },
  { name: "after-answer" },
);
