/** The name of a browser and its system, in common words. */

const BROWSERS: [name: string, sign: RegExp][] = [
  ["Edge", /Edg(e|A|iOS)?\//],
  ["Opera", /OPR\/|Opera/],
  ["Samsung Internet", /SamsungBrowser\//],
  ["Firefox", /Firefox\/|FxiOS\//],
  ["Chrome", /Chrome\/|CriOS\//],
  ["Safari", /Safari\//],
];
const SYSTEMS: [name: string, sign: RegExp][] = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["Mac", /Mac OS X|Macintosh/],
  ["ChromeOS", /CrOS/],
  ["Linux", /Linux/],
];

const named = (userAgent: string, table: typeof BROWSERS) => table.find(([, sign]) => sign.test(userAgent))?.[0];

/** "Chrome on Android", from a `User-Agent` header; "Another device" where it is unknown. */
export function deviceName(userAgent: string): string {
  const browser = named(userAgent, BROWSERS);
  const system = named(userAgent, SYSTEMS);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "Another device";
}
