import fastJson from "fast-json-stringify";
import { z } from "zod";

let checkAnswers = false;

/** For tests: checks every answer of a compiled serializer against its contract. Off by default, because it takes time. */
export function setAnswerChecking(on: boolean): void {
  checkAnswers = on;
}

/**
 * Serializer for answers that are sent often and whose types are checked by the compiler: writes the fields that the contract has, and
 * no others, without checking their values. Compiled when it is first used. Not for unions, which it would have to tell apart.
 */
export const compiledSerializer = ({ schema, method, url }: { schema: unknown; method: string; url: string }) => {
  if (!(schema instanceof z.ZodType)) throw new TypeError(`The answer of ${method} ${url} has no contract.`);
  let write: ((answer: unknown) => string) | undefined;
  return (answer: unknown): string => {
    if (checkAnswers) {
      const { error } = schema.safeParse(answer);
      if (error) throw new TypeError(`The answer of ${method} ${url} is not what its contract says: ${error.message}`);
    }
    write ??= fastJson(z.toJSONSchema(schema, { target: "openapi-3.0" }) as Parameters<typeof fastJson>[0]);
    return write(answer);
  };
};
