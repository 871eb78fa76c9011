import { isCalendarDate } from "@marketday/domain/calendar-date";
import { formatTotes } from "@marketday/domain/totes";
import { AppError } from "@marketday/server/lib/app-error";
import type { Context } from "@marketday/server/modules/identity/context";
import { findBoxesByTote, type ToteBox } from "@marketday/server/modules/orders/find-boxes";
import { OrdersRejected } from "@marketday/server/modules/orders/for-each-order";
import type { Command } from "commander";

import { EXIT, CliError } from "../../lib/cli/exit.ts";
import { totes, whole } from "../../lib/cli/values.ts";
import { noOrder, readOrder } from "./read-order.ts";

/** The orders that a command line names: one order, or the orders in a tote. */
interface Target {
  /** "order 123456789", "tote 7 (order 123456789)" */
  label: string;
  tote?: number;
  /** The order's number; for a tote its first order. */
  id: number;
  /** The order, or every live order in the tote, oldest first. */
  orderIds: readonly number[];
}

/** `--tote` for a command that takes one order. */
export interface ToteOption {
  tote?: readonly number[];
}

/** `--tote`: names an order by the tote it is packed in. */
export const withTote = (cmd: Command): Command =>
  cmd.option("--tote <numbers>", "by tote instead of order number; also give HUB DATE", totes);

const usage = (message: string) => new CliError(EXIT.usage, `${message} Nothing was done.`);

const asTarget = ({ tote, id, orderIds }: ToteBox): Target => ({
  label: `tote ${tote} (order ${id})`,
  tote,
  id,
  orderIds,
});

/** The boxes of these totes. If some are not found, the message includes the arguments for the others. */
async function boxesOf(ctx: Context, args: readonly string[], numbers: readonly number[]): Promise<ToteBox[]> {
  const [hub, day, ...more] = args;
  if (hub === undefined || day === undefined || more.length > 0 || !isCalendarDate(day))
    throw usage("With --tote give the hub and the delivery day, such as: carmel 2026-11-26 --tote 7.");
  try {
    return await findBoxesByTote(ctx, { hub, day }, numbers);
  } catch (error) {
    throw error instanceof AppError ? withRemaining(error, error.details["right"]) : error;
  }
}

/** The same error with the arguments for the totes that were found. */
function withRemaining(error: AppError, found: unknown): AppError {
  if (!Array.isArray(found) || found.length === 0) return error;
  return new AppError(
    error.status,
    `${error.message} For the others: --tote ${formatTotes(found as number[])}`,
    error.details,
  );
}

/** ORDER, or HUB DATE with `--tote`: one order, or the orders in one tote. */
export async function oneTarget(
  ctx: Context,
  args: readonly (string | undefined)[],
  tote: readonly number[] | undefined,
): Promise<Target> {
  const given = args.filter((arg) => arg !== undefined);
  if (!tote) {
    const [number, ...more] = given;
    if (number === undefined || more.length > 0 || !/^\d+$/.test(number))
      throw usage("Give one order number, or the hub and the delivery day with --tote.");
    const { id } = await readOrder(ctx, whole(number));
    return { label: `order ${id}`, id, orderIds: [id] };
  }
  if (tote.length !== 1) throw usage("Give one tote.");
  const [box] = await boxesOf(ctx, given, tote);
  return asTarget(box!);
}

/** ORDER…, or HUB DATE with `--tote`: several targets without duplicates. */
export async function manyTargets(
  ctx: Context,
  args: readonly string[],
  tote: readonly number[] | undefined,
): Promise<Target[]> {
  if (tote) return (await boxesOf(ctx, args, tote)).map(asTarget);
  const invalid = args.find((arg) => !/^\d{1,9}$/.test(arg));
  if (invalid !== undefined)
    throw usage(
      `"${invalid}" is not an order number. Give order numbers, or the hub and the delivery day with --tote.`,
    );
  return [...new Set(args.map(whole))].map((id) => ({ label: `order ${id}`, id, orderIds: [id] }));
}

/** Runs `work` on all targets. A rejection lists the failed ones by label, and the arguments for the others. */
export async function runOnTargets<T>(
  targets: readonly Target[],
  work: (orderIds: number[]) => Promise<T>,
): Promise<T> {
  try {
    return await work(targets.map(({ id }) => id));
  } catch (error) {
    if (error instanceof AppError && error.status === 404 && targets.length === 1) throw noOrder(targets[0]!.id);
    if (!(error instanceof OrdersRejected)) throw error;
    const byId = new Map(targets.map((target) => [target.id, target]));
    const lines = error.refused.map(
      ({ orderId, message }) => `${capitalize(byId.get(orderId)?.label ?? "")}: ${message}`,
    );
    const remaining = error.right.flatMap((id) => byId.get(id) ?? []);
    const remainingTotes = remaining.flatMap(({ tote }) => tote ?? []);
    const rest =
      remainingTotes.length > 0 ? `--tote ${formatTotes(remainingTotes)}` : remaining.map(({ id }) => id).join(" ");
    throw new CliError(
      EXIT.refused,
      `${lines.join("\n")}\nNothing was done.${rest === "" ? "" : ` For the others: ${rest}`}`,
      error.details,
    );
  }
}

/** "Tote 7 (order 123456789)" */
export const capitalize = (label: string): string => `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`;

/** The target of a command for a single order. A tote with several orders is refused with their numbers. */
export async function oneOrder(
  ctx: Context,
  args: readonly (string | undefined)[],
  tote: readonly number[] | undefined,
): Promise<number> {
  const { label, id, orderIds } = await oneTarget(ctx, args, tote);
  if (orderIds.length > 1)
    throw new CliError(
      EXIT.refused,
      `${capitalize(label)} has orders ${orderIds.join(", ")}. Give the number of one of them. Nothing was done.`,
    );
  return orderIds[0] ?? id;
}
