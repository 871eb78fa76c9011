import { type Db, queryOne, sql } from "@marketday/db";
import { z } from "zod";

/** A concurrent actor that stops at its gates until the schedule resumes it. */
export interface Actor {
  name: string;
  /** Failpoints (`deps.failpoint`) where it stops. */
  gates: readonly string[];
  run: () => Promise<unknown>;
}

interface State {
  status: "idle" | "running" | "gate" | "waiting" | "done";
  /** Opens its current gate. */
  open: () => void;
  result: unknown;
}

/** Failpoints where code starts to wait for another request by polling the database. */
const WAITS = new Set(["checkout:waiting"]);

/** Hook for `deps.failpoint` of one server; each actor has a separate server. */
export function gate() {
  let listener: (point: string) => Promise<void> = async () => undefined;
  return {
    at: (point: string) => listener(point),
    listen: (on: typeof listener) => void (listener = on),
  };
}
export type Gate = ReturnType<typeof gate>;

/**
 * Runs actors by a schedule of their names: each step resumes one of them until its next gate, its end, or until it waits for
 * another one (a row lock, or another request's checkout). Afterwards all gates open. Returns the result of each.
 */
export async function interleave(
  db: Db,
  actors: readonly (Actor & { gate: Gate })[],
  schedule: readonly string[],
): Promise<Record<string, unknown>> {
  const states = new Map<string, State>();
  for (const { name } of actors) states.set(name, { status: "idle", open: () => undefined, result: undefined });
  let areOpen = false;
  const runs: Promise<void>[] = [];
  const lockWaits = async () =>
    (await queryOne(
      db,
      sql`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      z.object({ n: z.number() }),
    ))!.n;
  /** Waits until every actor is at a gate, done, or waiting for another one. */
  const settle = async () => {
    for (;;) {
      const running = [...states.values()].filter(({ status }) => status === "running").length;
      if (running === 0 || (await lockWaits()) === running) return;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const begin = ({ name, gates, run, gate: hooks }: (typeof actors)[number]) => {
    const state = states.get(name)!;
    hooks.listen(async (point) => {
      if (WAITS.has(point)) state.status = "waiting";
      if (areOpen || !gates.includes(point)) return;
      state.status = "gate";
      await new Promise<void>((resolve) => (state.open = resolve));
      state.status = "running";
    });
    state.status = "running";
    runs.push(
      run().then((result) => {
        state.result = result;
        state.status = "done";
      }),
    );
  };
  for (const name of schedule) {
    const actor = actors.find((candidate) => candidate.name === name)!;
    const state = states.get(name)!;
    if (state.status === "idle") begin(actor);
    else if (state.status === "gate") {
      state.status = "running";
      state.open();
    } else continue;
    await settle();
  }
  areOpen = true;
  for (const actor of actors) if (states.get(actor.name)!.status === "idle") begin(actor);
  for (const { open } of states.values()) open();
  await Promise.all(runs);
  for (const { gate: hooks } of actors) hooks.listen(async () => undefined);
  return Object.fromEntries([...states].map(([name, { result }]) => [name, result]));
}

/** Every order in which the given number of steps of each actor can run. */
export function schedules(steps: Readonly<Record<string, number>>): string[][] {
  const names = Object.keys(steps).filter((name) => steps[name]! > 0);
  if (names.length === 0) return [[]];
  return names.flatMap((name) => schedules({ ...steps, [name]: steps[name]! - 1 }).map((rest) => [name, ...rest]));
}
