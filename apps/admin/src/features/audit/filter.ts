import { AUDIT_THINGS } from "@marketday/domain/audit";

/** The parts of a filter as the address has them; `hub` is the filter of the whole app. */
const PARTS = ["who", "action", "thing", "change", "from", "to", "q", "hub"] as const;
type Part = (typeof PARTS)[number];
export type Filter = Partial<Record<Part, string>>;
/** A page: the entries before or after another one. */
export type Cursor = { before?: string; after?: string };
export type ThingKind = (typeof AUDIT_THINGS)[number];

/** The filter in an address. What no entry can match, an unknown part or a text of two letters, is left out. */
export function filterOf(search: string): Filter {
  const params = new URLSearchParams(search);
  const filter: Filter = {};
  for (const part of PARTS) {
    const value = params.get(part)?.trim();
    if (value) filter[part] = value;
  }
  return filter;
}

export function cursorOf(search: string): Cursor {
  const params = new URLSearchParams(search);
  const [before, after] = [params.get("before"), params.get("after")];
  if (before !== null && /^\d{1,9}$/.test(before)) return { before };
  return after !== null && /^\d{1,9}$/.test(after) ? { after } : {};
}

/** The address with another filter: from its first page, with the open entry closed. */
export function withFilter(pathname: string, search: string, change: { [P in Part]?: string | null }): string {
  const next: Filter = filterOf(search);
  for (const part of PARTS) {
    const value = change[part];
    if (value === null || value === "") delete next[part];
    else if (value !== undefined) next[part] = value;
  }
  return addressOf(pathname, { ...next });
}

/** The address with some parameters set or, with null, left out. */
export function withParams(pathname: string, search: string, change: Record<string, string | null>): string {
  const params = Object.fromEntries(new URLSearchParams(search));
  for (const [name, value] of Object.entries(change))
    if (value === null) delete params[name];
    else params[name] = value;
  return addressOf(pathname, params);
}

function addressOf(pathname: string, params: Record<string, string>): string {
  const text = new URLSearchParams(params).toString();
  return text === "" ? pathname : `${pathname}?${text}`;
}

/** A filter as the API has it, in the time zone of the device. */
export const queryOf = (filter: Filter, zone: string): Record<string, string> => ({ ...filter, zone });

/** Whether anything but the market is filtered. */
export const isFiltered = ({ hub: _hub, ...parts }: Filter): boolean => Object.keys(parts).length > 0;

/** Letters of which the log is searched. */
const WORD_MIN = 3;

/** The words of a filter from what is typed; null: too few letters to search, the filter stays. */
export function wordsFrom(typed: string): string | null {
  const text = typed.trim();
  return text === "" || text.length >= WORD_MIN ? text : null;
}

/** "order:397120862" → its kind and what names it. */
export function thingOf(thing: string | undefined): { kind: ThingKind | ""; id: string } {
  const at = thing?.indexOf(":") ?? -1;
  const kind = AUDIT_THINGS.find((each) => each === thing?.slice(0, at));
  return kind === undefined ? { kind: "", id: "" } : { kind, id: thing!.slice(at + 1) };
}

/** The same from what is typed: numbers without their spaces. Empty: nothing is typed yet. */
export function thingFrom(kind: ThingKind | "", typed: string): string {
  const text = typed.trim();
  if (kind === "" || text === "") return "";
  return `${kind}:${/^[\d\s\u00A0#]+$/.test(text) ? text.replaceAll(/\D/g, "") : text}`;
}
