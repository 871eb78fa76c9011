import type { JobOf, QueueName } from "@marketday/db";

import type { Deps } from "../deps.ts";
import { ReceiverUnavailable } from "./app-error.ts";
import { maskPrivateText, reasonOf } from "./log-errors.ts";

/**
 * The pause of a message whose receiver is unavailable; doubled each time. Longer than the time between two ticks, so that
 * another message is tried first: the receiver may reject only this one. Short enough that all messages are sent two minutes
 * after the receiver is back (failures.md E1, M3).
 */
const UNAVAILABLE_SECONDS = { first: 10, most: 80 };

/** How the messages of a queue are delivered. */
export interface Delivery {
  /** Messages that are sent at the same time: the receiver is waited for, Postgres is not. */
  workers: number;
  /** Delivers the message of row `id`. Rejects when it was not accepted, with `ReceiverUnavailable` when no message would be. */
  deliver(id: number): Promise<void>;
  /** Aborted when the process stops: no other message is sent. */
  signal: AbortSignal | undefined;
  /** Writes into the row why it was not accepted. */
  refused(id: number, reason: string): Promise<unknown>;
}

/**
 * Delivers the messages of a queue that are due, oldest first, until none is left. A message that is not accepted is retried
 * after the queue's growing pauses; the others go on. When the receiver is unavailable the run ends, and the next one begins
 * with another message (failures.md E1). A message of a sender that died is delivered again.
 */
export async function processQueue(
  deps: Deps,
  queue: QueueName,
  { workers, deliver, refused, signal }: Delivery,
): Promise<void> {
  let isUnavailable = false;
  /** Delivers one message; false: none is due, the receiver is unavailable, or the process stops. */
  const deliverNext = async (): Promise<boolean> => {
    const [job] = isUnavailable || signal?.aborted ? [] : await deps.queues.fetch<JobOf>(queue);
    if (!job) return false;
    const { id } = job.data;
    try {
      await deliver(id);
      await deps.queues.complete(queue, job);
    } catch (error) {
      const isReceiverUnavailable = error instanceof ReceiverUnavailable;
      isUnavailable ||= isReceiverUnavailable;
      const reason = error instanceof Error ? reasonOf(error) : maskPrivateText(String(error));
      deps.log.warn({ err: error, queue, message: id, tries: job.retryCount + 1 }, "a message was not accepted");
      await refused(id, reason);
      await deps.queues.fail(queue, job, { message: reason });
      if (isReceiverUnavailable)
        await deps.queues.update(queue, undefined, {
          id: job.id,
          startAfter: Math.min(UNAVAILABLE_SECONDS.first * 2 ** Math.min(job.retryCount, 10), UNAVAILABLE_SECONDS.most),
        });
    }
    return !isUnavailable;
  };
  const deliverAll = async () => {
    while (await deliverNext());
  };
  await deps.queues.supervise(queue);
  // The first message is sent alone, to find out whether the receiver is available.
  if (await deliverNext()) await Promise.all(Array.from({ length: workers }, deliverAll));
}
