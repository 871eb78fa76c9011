import { isCalendarDate } from "@marketday/domain/calendar-date";
import { formatTotes } from "@marketday/domain/totes";
import { AppError } from "@marketday/server/lib/app-error";
import type { Context } from "@marketday/server/lib/context";
import { findBoxesByTote, type ToteBox } from "@marketday/server/modules/orders/find-boxes";
import { OrdersRefused } from "@marketday/server/modules/orders/refuse-all";
import type { Command } from "commander";

import { EXIT, CliError } from "../../lib/cli/exit.ts";
import { totes, whole } from "../../lib/cli/values.ts";
import { wholeOrder } from "./whole-order.ts";

/** What a command line names: an order, or what is in a tote. */
export interface Target {
  /** "order 123456789", "tote 7 (order 123456789)" */
  label: string;
  tote?: number;
  /** The order's number; a tote's first. */
  id: number;
  /** The order alone, or every live order in the tote, the first one first. */
  orderIds: readonly number[];
}

/** `--tote` for a command that takes one order. */
export interface ToteOption {
  tote?: readonly number[];
}

/** `--tote`: an order by where it is packed. */
export const withTote = (made: Command): Command =>
  made.option("--tote <numbers>", "by tote instead of order number; then give HUB DATE", totes);

const usage = (words: string) => new CliError(EXIT.usage, `${words} Nothing was done.`);

const asTarget = ({ tote, id, orderIds }: ToteBox): Target => ({
  label: `tote ${tote} (order ${id})`,
  tote,
  id,
  orderIds,
});

/** The boxes of these totes; where some cannot be found, the message says how to name the others. */
async function boxesOf(ctx: Context, words: readonly string[], numbers: readonly number[]): Promise<ToteBox[]> {
  const [hub, day, ...more] = words;
  if (hub === undefined || day === undefined || more.length > 0 || !isCalendarDate(day))
    throw usage("With --tote give the hub and the delivery day, such as: carmel 2026-11-26 --tote 7.");
  try {
    return await findBoxesByTote(ctx, { hub, day }, numbers);
  } catch (error) {
    throw error instanceof AppError ? withRest(error, error.details["right"]) : error;
  }
}

/** The same refusal with how to name those that are right. */
function withRest(error: AppError, right: unknown): AppError {
  if (!Array.isArray(right) || right.length === 0) return error;
  return new AppError(
    error.status,
    `${error.message} For the others: --tote ${formatTotes(right as number[])}`,
    error.details,
  );
}

/** ORDER, or HUB DATE with `--tote`: one order alone, or all that is in one tote. */
export async function oneTarget(
  ctx: Context,
  words: readonly (string | undefined)[],
  tote: readonly number[] | undefined,
): Promise<Target> {
  const given = words.filter((word) => word !== undefined);
  if (!tote) {
    const [number, ...more] = given;
    if (number === undefined || more.length > 0 || !/^\d+$/.test(number))
      throw usage("Give one order number, or the hub and the delivery day with --tote.");
    const { id } = await wholeOrder(ctx, whole(number));
    return { label: `order ${id}`, id, orderIds: [id] };
  }
  if (tote.length !== 1) throw usage("Give one tote.");
  const [box] = await boxesOf(ctx, given, tote);
  return asTarget(box!);
}

/** ORDER…, or HUB DATE with `--tote`: several at once, each box once. */
export async function manyTargets(
  ctx: Context,
  words: readonly string[],
  tote: readonly number[] | undefined,
): Promise<Target[]> {
  if (tote) return (await boxesOf(ctx, words, tote)).map(asTarget);
  const wrong = words.find((word) => !/^\d{1,9}$/.test(word));
  if (wrong !== undefined)
    throw usage(`"${wrong}" is not an order number. Give order numbers, or the hub and the delivery day with --tote.`);
  return [...new Set(words.map(whole))].map((id) => ({ label: `order ${id}`, id, orderIds: [id] }));
}

/** Does the same to all of them; a refusal names each as it was named here, and how to do the others. */
export async function doToAll<T>(targets: readonly Target[], work: (orderIds: number[]) => Promise<T>): Promise<T> {
  try {
    return await work(targets.map(({ id }) => id));
  } catch (error) {
    if (!(error instanceof OrdersRefused)) throw error;
    const byId = new Map(targets.map((target) => [target.id, target]));
    const lines = error.refused.map(({ orderId, message }) => `${capital(byId.get(orderId)?.label ?? "")}: ${message}`);
    const others = error.right.flatMap((id) => byId.get(id) ?? []);
    const totesLeft = others.flatMap(({ tote }) => tote ?? []);
    const rest = totesLeft.length > 0 ? `--tote ${formatTotes(totesLeft)}` : others.map(({ id }) => id).join(" ");
    throw new CliError(
      EXIT.refused,
      `${lines.join("\n")}\nNothing was done.${rest === "" ? "" : ` For the others: ${rest}`}`,
      error.details,
    );
  }
}

/** "Tote 7 (order 123456789)" */
export const capital = (label: string): string => `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`;

/** One target for what is done to a single order: a tote with several orders is refused with their numbers. */
export async function oneOrder(
  ctx: Context,
  words: readonly (string | undefined)[],
  tote: readonly number[] | undefined,
): Promise<number> {
  const { label, id, orderIds } = await oneTarget(ctx, words, tote);
  if (orderIds.length > 1)
    throw new CliError(
      EXIT.refused,
      `In ${label} are orders ${orderIds.join(", ")}. Name one of them. Nothing was done.`,
    );
  return orderIds[0] ?? id;
}
