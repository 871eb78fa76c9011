import type { JobOf, QueueName } from "@marketday/db";

import type { Deps } from "../deps.ts";
import { maskPrivateText, reasonOf } from "./log-errors.ts";
import { ReceiverUnavailable } from "./receiver-unavailable.ts";

/**
 * While nobody takes any, one message asks again so much later, twice as much each time. It may be this one alone that the
 * receiver does not answer: longer than the time between two ticks, so that another one is tried first then; and short
 * enough that all are out two minutes after the receiver is back (failures.md E1, M3).
 */
const AWAY_SECONDS = { first: 10, most: 80 };

/** How the messages of a queue are delivered. */
export interface Delivery {
  /** Messages on their way at the same time: the receiver is waited for, Postgres is not. */
  workers: number;
  /** Delivers what the row `id` says. Rejects when it was not taken, with `ReceiverUnavailable` when no message would be. */
  deliver(id: number): Promise<void>;
  /** Writes into the row why it was not taken. */
  refused(id: number, reason: string): Promise<unknown>;
}

/**
 * Delivers what may run now in a queue, oldest first, until nothing is left. What is not taken is tried again after the
 * queue's growing pauses while the others go on. When nobody takes any, nothing is spent on the others in this run; the next
 * run begins with another message. When somebody is back all go (failures.md E1). What a sender held that died is delivered once more.
 */
export async function processQueue(
  deps: Deps,
  queue: QueueName,
  { workers, deliver, refused }: Delivery,
): Promise<void> {
  let isAway = false;
  /** One message; false: none may run now, or nobody takes any. */
  const one = async (): Promise<boolean> => {
    const [job] = isAway ? [] : await deps.queues.fetch<JobOf>(queue);
    if (!job) return false;
    const { id } = job.data;
    try {
      await deliver(id);
      await deps.queues.complete(queue, job);
    } catch (error) {
      const isNobodyThere = error instanceof ReceiverUnavailable;
      isAway ||= isNobodyThere;
      const reason = error instanceof Error ? reasonOf(error) : maskPrivateText(String(error));
      deps.log.warn({ err: error, queue, message: id, tries: job.retryCount + 1 }, "a message was not taken");
      await refused(id, reason);
      await deps.queues.fail(queue, job, { message: reason });
      if (isNobodyThere)
        await deps.queues.update(queue, undefined, {
          id: job.id,
          startAfter: Math.min(AWAY_SECONDS.first * 2 ** Math.min(job.retryCount, 10), AWAY_SECONDS.most),
        });
    }
    return !isAway;
  };
  const untilNoneIsLeft = async () => {
    while (await one());
  };
  await deps.queues.supervise(queue);
  // The first goes alone: it finds out whether anybody takes messages at all.
  if (await one()) await Promise.all(Array.from({ length: workers }, untilNoneIsLeft));
}
