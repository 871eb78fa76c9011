import fc from "fast-check";

/** The subset of JSON Schema in the OpenAPI document. */
export interface Schema {
  type?: "string" | "integer" | "number" | "boolean" | "null" | "array" | "object";
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  multipleOf?: number;
}
/** One call of the OpenAPI document. */
export interface Call {
  method: string;
  path: string;
  parameters: { name: string; in: "path" | "query"; required: boolean; schema: Schema }[];
  body?: Schema;
  /** Documented success statuses. */
  expectedStatuses: number[];
}
/** Existing values by field name, for requests that can succeed. */
export type Known = Map<string, unknown[]>;

/** Texts that often cause bugs. */
const HARD = [
  "", " ", "0", "-1", "null", "undefined", "NaN", "true", "[]", "{}", "\0", "a\0b", "\u0001", "\r\n", "\uD800", "\uFEFF", "\u202Egpj.exe",
  "%", "%00", "%zz", "_", "\\", "'", "''", '"', "`", "' or 1=1 --", "$1", "$&", "${1}", "{{1}}", "<script>alert(1)</script>", "../..", "//x", "a b",
  "İı", "ß", "ﬁ", "Ǆ", "é", "e\u0301", "👩‍🌾", "𝟙", "١٢٣", "：", "1e400", "9".repeat(400), "1970-02-30", "2026-02-29", "0000-00-00", "9999-12-31",
  "constructor", "__proto__", "toString", "(((((", "a&b|c!", ":*", "a:b", "&", "<->", "*",
]; // prettier-ignore

const text = (minLength = 0, maxLength = 200): fc.Arbitrary<string> =>
  fc
    .oneof(
      {
        weight: 3,
        arbitrary: fc.string({ unit: "grapheme", minLength, maxLength: Math.min(Math.max(minLength, 40), maxLength) }),
      },
      { weight: 3, arbitrary: fc.constantFrom(...HARD) },
      { weight: 2, arbitrary: fc.constantFrom("egg", "eggs", "tomato", "Ada", "blue-wheelbarrow", "a fine farm") },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          "x".repeat(maxLength),
          "é".repeat(maxLength),
          "👩‍🌾".repeat(Math.floor(maxLength / 5)),
        ),
      },
    )
    .map((value) => (value.length < minLength ? value.padEnd(minLength, "a") : value.slice(0, maxLength)));

function strings({ pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (pattern === undefined) return text(minLength, maxLength);
  const required = new RegExp(pattern, "u");
  const matches = (value: string) =>
    required.test(value) && value.length >= (minLength ?? 0) && value.length <= (maxLength ?? 1e6);
  // Most texts match a pattern that forbids characters; for other patterns matching texts are generated.
  return pattern.startsWith("^[^") && pattern.endsWith("]*$")
    ? text(minLength, maxLength).filter(matches)
    : fc.stringMatching(new RegExp(pattern)).filter(matches);
}

function numbers({ type, minimum, exclusiveMinimum, maximum, multipleOf }: Schema): fc.Arbitrary<number> {
  const low =
    minimum ??
    (exclusiveMinimum === undefined ? -1e6 : exclusiveMinimum + (type === "integer" ? 1 : (multipleOf ?? 0.01)));
  const high = maximum ?? 1e6;
  const whole = fc.integer({ min: Math.ceil(low), max: Math.floor(Math.min(high, Math.max(low + 20, 20))) });
  const edges = fc.constantFrom(low, high);
  if (type === "integer") return fc.oneof({ weight: 6, arbitrary: whole }, edges);
  const step = multipleOf ?? 0.01;
  const stepped = fc
    .integer({ min: Math.ceil(low / step), max: Math.floor(high / step) })
    .map((steps) => Number((steps * step).toFixed(6)));
  return fc.oneof(whole, stepped, edges);
}

/** A value that the schema allows; three times in four an existing value of this field. */
export function valueOf(schema: Schema, name: string, known: Known): fc.Arbitrary<unknown> {
  const fresh = freshValueOf(schema, name, known);
  const pool = known.get(name)?.filter((value) => allows(schema, value)) ?? [];
  return pool.length > 0 ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...pool) }, fresh) : fresh;
}

function freshValueOf(schema: Schema, name: string, known: Known): fc.Arbitrary<unknown> {
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return fc.oneof(...either.map((option) => valueOf(option, name, known)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "string":
      return schema.format === "uuid" ? fc.uuid({ version: 4 }) : strings(schema);
    case "integer":
    case "number":
      return numbers(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valueOf(schema.items ?? {}, name, known), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case "object": {
      const properties = Object.entries(schema.properties ?? {});
      return fc.record(Object.fromEntries(properties.map(([key, value]) => [key, valueOf(value, key, known)])), {
        requiredKeys: schema.required ?? [],
        noNullPrototype: true,
      });
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Approximate check of an existing value against a schema. */
const allows = ({ type, anyOf, oneOf, enum: values }: Schema, value: unknown): boolean =>
  values
    ? values.includes(value)
    : ((anyOf ?? oneOf)?.some((option) => allows(option, value)) ??
      (type === "integer" ? Number.isSafeInteger(value) : type === (typeof value as string)));

/** URL with its query, and body. */
export interface FuzzRequest {
  url: string;
  body: unknown;
}

/** A request that the call's schema allows; in one of six, one value is replaced by any JSON value. */
export function requestOf(call: Call, known: Known): fc.Arbitrary<FuzzRequest> {
  const parameters = fc.record(
    Object.fromEntries(call.parameters.map(({ name, schema }) => [name, valueOf(schema, name, known)])),
    { requiredKeys: call.parameters.filter(({ required }) => required).map(({ name }) => name), noNullPrototype: true },
  );
  const body = call.body ? valueOf(call.body, "body", known) : fc.constant(undefined);
  return fc
    .record({ parameters, body, spoil: fc.nat(5), anything: fc.jsonValue({ maxDepth: 3 }) })
    .map(({ parameters: given, body: sent, spoil, anything }) => {
      const values = given as Record<string, unknown>;
      // Path segments are never empty.
      const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(wellFormed(values[name]) || "0"),
      );
      const search = call.parameters
        .filter((parameter) => parameter.in === "query" && values[parameter.name] !== undefined)
        .map(({ name }) => `${name}=${encodeURIComponent(wellFormed(values[name]))}`)
        .join("&");
      return { url: search ? `${path}?${search}` : path, body: spoil === 0 ? spoiled(sent, anything) : sent };
    });
}

const wellFormed = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed();

function spoiled(body: unknown, anything: unknown): unknown {
  if (typeof body !== "object" || body === null) return anything;
  const copy = structuredClone(body) as Record<string, unknown>;
  const [first] = Object.keys(copy);
  if (first === undefined) return anything;
  copy[first] = anything;
  return copy;
}
