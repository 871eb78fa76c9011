import { schedule } from "node-cron";

import type { Deps } from "../deps.ts";
import { resumeAbandoned } from "../modules/checkout/resume-attempt.ts";
import type { Context } from "../modules/identity/context.ts";
import { sendDueMail } from "../modules/mail/send-mail.ts";
import { resumeAbandonedPurchases } from "../modules/payments/buy.ts";
import { deleteProviderCustomers } from "../modules/payments/cards.ts";
import { chargeDueOrders } from "../modules/payments/charge-order.ts";
import { syncMovedMoney } from "../modules/payments/fetch-moved-money.ts";
import { resumeRefunds } from "../modules/payments/finish-refund.ts";
import { renewHolds } from "../modules/payments/renew-holds.ts";
import { keepLimits } from "../modules/shorts/keep-limits.ts";
import { notifyDue } from "../modules/sign-in-events/notify-due.ts";
import { runDueActions, runDueBulk, runDueShorts } from "../modules/staff-actions/run-due-actions.ts";
import { renewWagonPasses } from "../modules/wagon-pass/renew-wagon-pass.ts";
import { runAutoCheckouts } from "./auto-checkout.ts";
import { checkMarket } from "./check-market.ts";
import { cleanUp } from "./clean-up.ts";
import { planDeliveries, runWeek, sendReminders } from "./week.ts";

/** A job finds what is due and not done, claims it and does it. Late, twice or on two servers: the same result. */
export interface Job {
  name: string;
  /** When it runs, as a cron expression with seconds. What is due is in the database. */
  cron: string;
  run(ctx: Context): Promise<unknown>;
}

/** All jobs. */
export const timetable: readonly Job[] = [
  { name: "checkouts", cron: "*/20 * * * * *", run: resumeAbandoned },
  { name: "purchases", cron: "10,30,50 * * * * *", run: resumeAbandonedPurchases },
  { name: "holds", cron: "*/10 * * * *", run: renewHolds },
  { name: "refunds", cron: "15,45 * * * * *", run: resumeRefunds },
  { name: "moved-money", cron: "37 * * * *", run: syncMovedMoney },
  { name: "wagon-passes", cron: "*/5 * * * *", run: renewWagonPasses },
  { name: "week", cron: "* * * * *", run: runWeek },
  { name: "charges", cron: "40 * * * * *", run: chargeDueOrders },
  { name: "auto-checkout", cron: "* * * * *", run: runAutoCheckouts },
  { name: "reminders", cron: "* * * * *", run: sendReminders },
  { name: "mail", cron: "*/30 * * * * *", run: ({ deps, signal }) => sendDueMail(deps, signal) },
  { name: "identify", cron: "5,35 * * * * *", run: ({ deps, signal }) => notifyDue(deps, signal) },
  { name: "staff-actions", cron: "*/2 * * * * *", run: runDueActions },
  { name: "settle-shorts", cron: "1-59/2 * * * * *", run: runDueShorts },
  { name: "bulk-actions", cron: "*/2 * * * * *", run: runDueBulk },
  { name: "short-limits", cron: "5-59/10 * * * * *", run: keepLimits },
  { name: "deliveries", cron: "7 * * * *", run: planDeliveries },
  { name: "delete-provider-customers", cron: "3-59/10 * * * *", run: deleteProviderCustomers },
  { name: "clean-up", cron: "23 * * * *", run: cleanUp },
  { name: "checks", cron: "25 51 * * * *", run: checkMarket },
];

export interface Jobs {
  /**
   * Runs a job now, or again after its current run: something just became due. With a name that is no job's (a part of one) all run, one
   * after the other.
   */
  notify(name: string): void;
  /** Starts no more runs, and waits for the items that the current ones work on. The next start continues. */
  stop(): Promise<void>;
}

/** Schedules the jobs, and runs each once: work that became due while no server ran is caught up. */
export function startJobs(deps: Deps): Jobs {
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  const stopping = new AbortController();

  const run = (job: Job): void => {
    if (stopping.signal.aborted) return;
    if (running.has(job.name)) {
      again.add(job.name);
      return;
    }
    const ctx: Context = {
      now: deps.clock.now(),
      actor: { type: "system", job: job.name },
      deps,
      signal: stopping.signal,
    };
    const work = Promise.resolve()
      .then(() => job.run(ctx))
      .then(
        () => undefined,
        (error: unknown) => deps.log.error({ err: error, job: job.name }, "job failed"),
      )
      .then(() => {
        running.delete(job.name);
        if (again.delete(job.name)) run(job);
      });
    running.set(job.name, work);
  };

  const tasks = timetable.map((job) => schedule(job.cron, () => run(job), { name: job.name, noOverlap: true }));
  // One after the other, so that requests find a free connection. Ticks do not wait for them.
  const runAll = async (): Promise<void> => {
    for (const job of timetable) {
      run(job);
      await running.get(job.name);
    }
  };
  void runAll();

  return {
    notify: (name) => {
      const job = timetable.find((candidate) => candidate.name === name);
      if (job) run(job);
      else void runAll();
    },
    async stop() {
      stopping.abort();
      for (const task of tasks) await task.destroy();
      await Promise.all(running.values());
    },
  };
}
