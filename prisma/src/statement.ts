import { createHash } from "node:crypto";

/** The number of texts that are prepared. Each connection keeps them until it is closed. */
const most = 1_000;
const names = new Map<string, string>();

/** The name under which a hand-written statement is prepared, or undefined when there are too many of them. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= most) return known;
  const name = `m${createHash("sha1").update(text).digest("base64url")}`;
  names.set(text, name);
  return name;
}

/** The text of statements that differ in their values only. Its text and name are made when they are first needed. */
class Shape {
  /** The text around the parameters, one piece more than there are parameters. */
  readonly pieces: readonly string[];
  #text: string | undefined;
  #name: string | null | undefined;
  constructor(pieces: readonly string[]) {
    this.pieces = pieces;
  }
  get text(): string {
    return (this.#text ??= this.pieces.reduce((text, piece, place) => `${text}$${place}${piece}`));
  }
  get name(): string | undefined {
    if (this.#name === undefined) this.#name = statementName(this.text) ?? null;
    return this.#name ?? undefined;
  }
}

/** A statement, or a part of one. */
export class Sql {
  readonly values: readonly unknown[];
  readonly #shape: Shape;
  readonly #isPrepared: boolean;
  constructor(shape: Shape, values: readonly unknown[], isPrepared = true) {
    this.#shape = shape;
    this.values = values;
    this.#isPrepared = isPrepared;
  }
  /** With `$1`, `$2` … for the values. */
  get text(): string {
    return this.#shape.text;
  }
  /** The name under which it is prepared, or undefined when there are too many of them. */
  get statementName(): string | undefined {
    return this.#isPrepared ? this.#shape.name : undefined;
  }
  static shapeOf(statement: Sql): Shape {
    return statement.#shape;
  }
}

/** The pieces of a template with the pieces of the statements in it. */
function piecesOf(strings: readonly string[], given: readonly unknown[]): string[] {
  const pieces = [strings[0]!];
  for (const [place, value] of given.entries()) {
    const next = strings[place + 1]!;
    if (value instanceof Sql) {
      const inner = Sql.shapeOf(value).pieces;
      pieces[pieces.length - 1] += inner[0]!;
      pieces.push(...inner.slice(1));
      pieces[pieces.length - 1] += next;
    } else pieces.push(next);
  }
  return pieces;
}

/** The shapes of one template: a path of its places, each a value or a statement of some shape. Shapes no longer in use are collected. */
class Branch {
  shape: Shape | undefined;
  #value: Branch | undefined;
  #statements: WeakMap<Shape, Branch> | undefined;
  next(value: unknown): Branch {
    if (!(value instanceof Sql)) return (this.#value ??= new Branch());
    this.#statements ??= new WeakMap();
    const shape = Sql.shapeOf(value);
    let branch = this.#statements.get(shape);
    if (!branch) this.#statements.set(shape, (branch = new Branch()));
    return branch;
  }
}
const branches = new WeakMap<TemplateStringsArray, Branch>();

/** Builds a statement: values in the template become parameters, statements in it become part of the text. */
export function sql(strings: TemplateStringsArray, ...given: readonly unknown[]): Sql {
  let branch = branches.get(strings);
  if (!branch) branches.set(strings, (branch = new Branch()));
  const values: unknown[] = [];
  for (const value of given) {
    branch = branch.next(value);
    if (value instanceof Sql) values.push(...value.values);
    else values.push(value);
  }
  return new Sql((branch.shape ??= new Shape(piecesOf(strings, given))), values);
}

/** A text that becomes part of a statement as it is: never a value from outside. */
export const raw = (text: string): Sql => new Sql(new Shape([text]), []);

export const empty: Sql = raw("");

/** Statements with a text between them. */
export function join(statements: readonly Sql[], between = ","): Sql {
  const strings = ["", ...statements.map((_, place) => (place < statements.length - 1 ? between : ""))];
  return new Sql(
    new Shape(piecesOf(strings, statements)),
    statements.flatMap(({ values }) => values),
  );
}

/**
 * The statement without a name: Postgres plans it for its values each time. For statements whose conditions differ with each request,
 * where one plan would not fit all, and their many texts would not fit the connections.
 */
export const unprepared = (statement: Sql): Sql => new Sql(Sql.shapeOf(statement), statement.values, false);
