import type { FastifySchemaCompiler } from "fastify";
import type { z } from "zod";

import { AppError } from "./app-error.ts";

const CHECK = "Please check what you entered and try again.";

/** A number from a schema's issue that can be shown in a sentence; else null. */
const shownNumber = (value: unknown): number | null => {
  const number = typeof value === "bigint" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && Math.abs(number) < 1e9 ? number : null;
};

/**
 * Default message for a value that violates its contract, for fields without a separate message. Shoppers read it: no field
 * name, no type, no pattern (docs/product.md §17 "Messages, never validator output").
 */
export function messageFor(issue: z.core.$ZodRawIssue): string {
  const isMissing = issue.input === undefined || issue.input === null || issue.input === "";
  if (issue.code === "invalid_type" || issue.code === "invalid_union")
    return isMissing ? "Something is missing. Please fill it in and try again." : CHECK;
  if (issue.code === "invalid_value") return isMissing ? "Please choose one of the options." : CHECK;
  if (issue.code === "too_big") {
    const most = issue.inclusive === false ? null : shownNumber(issue.maximum);
    if (most === null) return CHECK;
    if (issue.origin === "string") return `Please use at most ${most} characters.`;
    return issue.origin === "array" ? `Please choose at most ${most}.` : `Please enter ${most} or less.`;
  }
  if (issue.code === "too_small") {
    const least = issue.inclusive === false ? null : shownNumber(issue.minimum);
    if (least === null) return CHECK;
    if (issue.origin === "string")
      return least <= 1 ? "Please fill this in." : `Please use at least ${least} characters.`;
    return issue.origin === "array" ? `Please choose at least ${least}.` : `Please enter ${least} or more.`;
  }
  return CHECK;
}

/** Validates params, query and body: 400 `invalid` with the first issue's message and field. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data: unknown) => {
    const result = schema.safeParse(data, { error: messageFor });
    if (result.success) return { value: result.data };
    const [first] = result.error.issues;
    const field = first?.path.join(".") ?? "";
    return { error: new AppError(400, first?.message ?? CHECK, { code: "invalid", ...(field !== "" && { field }) }) };
  };
