import { isSameName } from "@marketday/domain/names";
import { spreadsheetSentence } from "@marketday/domain/spreadsheet-text";

interface HubName {
  slug: string;
  name: string;
}

/** How a doubtful name is taken all the same, after a sentence about it. */
export const ifMeant = (sentence: string): string =>
  `${sentence}${/[.?!]$/.test(sentence) ? "" : "."} If it is meant so, --accept-names takes it.`;

/**
 * The problems of a hub's slug and name, where they are new: they look like a spreadsheet's, or differ from another hub's only by
 * capitals, spaces, accents or dashes. Hubs of two weekdays may have the same name.
 */
export function hubNameProblems(
  hubs: readonly HubName[],
  { slug, name }: HubName,
): { field: "slug" | "name"; sentence: string }[] {
  const stored = hubs.filter((hub) => hub.slug === slug);
  const others = hubs.filter((hub) => hub.slug !== slug);
  const isNewName = stored.every((hub) => hub.name !== name);
  const near = {
    slug: stored.length === 0 ? others.find((hub) => isSameName(hub.slug, slug)) : undefined,
    name: isNewName ? others.find((hub) => hub.name !== name && isSameName(hub.name, name)) : undefined,
  };
  const looks = isNewName ? spreadsheetSentence(name) : null;
  return [
    ...(["slug", "name"] as const).flatMap((field) => {
      const other = near[field];
      const given = field === "slug" ? slug : name;
      return other
        ? [
            {
              field,
              sentence: `"${given}" is nearly the same name: there is a hub "${other[field]}"${field === "name" ? ` (${other.slug})` : ""} already. Did you mean ${other.slug}?`,
            },
          ]
        : [];
    }),
    ...(looks === null ? [] : [{ field: "name" as const, sentence: looks }]),
  ].map(({ field, sentence }) => ({ field, sentence: ifMeant(sentence) }));
}

/** A suggestion for a zip that a spreadsheet took for a number: 2139 was "02139". */
export function zipHint(value: unknown): string {
  const [, digits = "", decimals] = /^(\d{3,5})(\.0+)?$/.exec(String(value)) ?? [];
  if (digits === "" || (digits.length === 5 && decimals === undefined)) return "";
  return `${digits.length < 5 ? ". Spreadsheets drop the zeros at the beginning" : ""}. Did you mean "${digits.padStart(5, "0")}"?`;
}
