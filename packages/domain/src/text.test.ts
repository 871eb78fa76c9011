import { expect, test } from "vitest";

import { US_PHONE_PATTERN, zipDigits } from "./limits.ts";
import { cleanCode, cleanDigits, cleanLine, cleanPhone, cleanText, cleanZip } from "./text.ts";

test.each([
  ["Gate code 4471\r\nLeave in the cooler", "Gate code 4471\nLeave in the cooler"],
  ["one\rtwo\u2028three\u2029four\vfive\fsix\u0085seven", "one\ntwo\nthree\nfour\nfive\nsix\nseven"],
  ["Gate\t4471", "Gate 4471"],
  ["  a\u00A0b\u2003c\u3000d \n", "a b c d"],
  ["a \n\n\n\n\n b", "a\n\n b"],
  ["a\0b\u0007c\u001Bd\u007Fe", "abcde"],
  ["\uFEFFA\u202Annn\u202E\u2066\u2069\u200E\u200F\u061C\u200B\u2060\u00ADa", "Annna"],
  ["\uD83Dhalf\uDE00", "half"],
  ["Zoe\u0308", "Zoë"],
  ["\u3164\u115F\uFFA0\u2800", ""],
])("cleanText: %j is %j", (given, clean) => {
  expect(cleanText(given)).toBe(clean);
  expect(cleanText(clean)).toBe(clean);
});

test.each([
  ["a family", "👨‍👩‍👧‍👦"],
  ["a farmer with a skin tone", "👩🏽‍🌾"],
  ["a heart on fire", "❤️‍🔥"],
  ["a rainbow flag", "🏳️‍🌈"],
  ["the flag of Scotland", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
  ["the flag of the US", "🇺🇸"],
  ["keycaps", "4️⃣ #️⃣"],
  ["Persian with a zero-width non-joiner", "می‌خواهم"],
  ["Hindi with a joiner and a non-joiner", "क्‍ष क्‌ष"],
  ["Sinhala", "ශ්‍රී ලංකා"],
  ["a Japanese name with a variant of its letter", "葛\u{E0100}城"],
  ["Mongolian", "ᠨᠠ\u180Eᠮᠤ\u180B"],
  ["Arabic with a number sign", "؀١٢"],
  ["accents", "Zoë Żeleński, Nguyễn Ελένη Мария"],
])("cleanText: %s is kept", (_, text) => {
  const composed = text.normalize("NFC");
  expect(cleanText(composed)).toBe(composed);
  expect(cleanLine(composed)).toBe(composed);
});

test.each([
  ["a joiner between Latin letters", "An\u200Dna\u200C", "Anna"],
  ["a selector after a Latin letter", "Anna\uFE0F\u{E0101}", "Anna"],
  ["selectors in a row after an emoji", `🍎${"\uFE0F".repeat(20)}`, "🍎\uFE0F\uFE0F"],
  ["tags without a flag", "Anna\u{E0041}\u{E0042}", "Anna"],
])("cleanText: %s is removed", (_, given, clean) => {
  expect(cleanText(given)).toBe(clean);
});

test("cleanText: any text stays the same when it is cleaned again", () => {
  const parts = [
    "a",
    "é",
    " ",
    "\n",
    "\r",
    "\t",
    "\u200D",
    "\u200C",
    "\uFE0F",
    "👩",
    "🏽",
    "م",
    "क",
    "्",
    "\uD83D",
    "\uDE00",
    "1",
  ];
  let seed = 7;
  for (let round = 0; round < 3000; round += 1) {
    let text = "";
    for (let length = 0; length < 9; length += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      text += parts[seed % parts.length];
    }
    const once = cleanText(text);
    expect([text, cleanText(once)]).toEqual([text, once]);
    expect(once.isWellFormed()).toBe(true);
  }
});

test("cleanLine: line ends are single spaces", () => {
  expect(cleanLine(" 12 Main Street \r\n  Apt 4\n\n\nCarmel ")).toBe("12 Main Street Apt 4 Carmel");
  expect(cleanLine("Bob\r\nBcc: all@example.com")).toBe("Bob Bcc: all@example.com");
});

test.each([
  ["WELCOME10\u200B", "WELCOME10"],
  ["\u202AFALL\u201110\u202C", "FALL-10"],
  ["FALL–10 FALL—10 FALL−10 FALL－10", "FALL-10 FALL-10 FALL-10 FALL-10"],
  ["ＷＥＬ１０", "WEL10"],
  ["anna＠example.com\u200D\uFE0F", "anna@example.com"],
  ["٤٦٠٣٢ ۴۶۰۳۲", "46032 46032"],
])("cleanCode: %j is %j", (given, clean) => {
  expect(cleanCode(given)).toBe(clean);
});

test.each([
  ["4242\u00A04242\u00A04242\u00A04242", "4242424242424242"],
  ["4242\u20094242–4242·4242".replace("·", "."), "4242424242424242"],
  ["４２４２ 4242\t4242\n4242", "4242424242424242"],
  [" 123\u200B ", "123"],
  ["12a", "12a"],
])("cleanDigits: %j is %j", (given, clean) => {
  expect(cleanDigits(given)).toBe(clean);
});

test.each([
  ["\u202A(317)\u00A0555\u20110142\u202C", "(317) 555-0142"],
  ["(317) 555\u20110142", "(317) 555-0142"],
  ["317\u200B5550142", "3175550142"],
  ["317 – 555 – 0142", "317-555-0142"],
  ["317−555−0142", "317-555-0142"],
  ["317・555".replace("・", "\u00B7") + "\u00B70142", "317.555.0142"],
  ["317/555-0142", "317-555-0142"],
  ["( 317 ) 555-0142", "(317) 555-0142"],
  ["（317）555－0142", "(317)555-0142"],
  ["tel:+1-317-555-0142", "+1-317-555-0142"],
  ["+1\u2007317.555.0142\n", "+1 317.555.0142"],
  ["３１７５５５０１４２", "3175550142"],
  ["317  555  0142", "317 555 0142"],
])("cleanPhone: %j is %j, a valid number", (given, clean) => {
  expect(cleanPhone(given)).toBe(clean);
  expect(cleanPhone(given)).toMatch(US_PHONE_PATTERN);
});

test("cleanPhone: what is no number of ten digits stays none", () => {
  for (const wrong of ["", "phone", "317-555-014", "317-555-01423", "317-555-0142 x5", "317-555-0142, 317-555-0143"])
    expect([wrong, US_PHONE_PATTERN.test(cleanPhone(wrong))]).toEqual([wrong, false]);
});

test.each([
  ["46032-1234", "46032"],
  [" 46032 ", "46032"],
  ["46032\u202C", "46032"],
  ["46032\u20131234", "46032"],
  ["46032 1234", "46032"],
  ["460321234", "46032"],
  ["４６０３２", "46032"],
  ["46\u200B032", "46032"],
  ["4603", "4603"],
  ["46032-12", "46032-12"],
  ["460322", "460322"],
  ["abcde", "abcde"],
])("cleanZip: %j is %j", (given, clean) => {
  expect(cleanZip(given)).toBe(clean);
});

test("zipDigits: the digits of a ZIP code as far as they are typed, of any pasted form", () => {
  for (const [typed, digits] of [
    ["46 0a3", "4603"],
    ["460321", "46032"],
    ["46032-1234", "46032"],
    [" \u202A46032\u202C ", "46032"],
    ["４６０３２", "46032"],
    ["٤٦٠", "460"],
    ["۴۶۰۳۲", "46032"],
    ["zip", ""],
    ["", ""],
  ] as const)
    expect([typed, zipDigits(typed)]).toEqual([typed, digits]);
});

test("cleaning a body full of spaces, line ends or marks takes about as long as one of letters", () => {
  const cpuOf = (work: () => unknown): number => {
    const before = process.cpuUsage();
    for (let round = 0; round < 5; round += 1) work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const bodyOf = (fill: string) => `a${fill.repeat(60_000 / fill.length)}b`;
  for (const clean of [cleanText, cleanLine, cleanCode, cleanPhone, cleanZip, cleanDigits]) {
    const letters = cpuOf(() => clean(bodyOf("x")));
    // Where a step is repeated from each character on, it takes more than a thousand times as long.
    for (const fill of [" ", "\n", "\n ", "-", ". ", "(", "\u3000"])
      expect([clean.name, fill, cpuOf(() => clean(bodyOf(fill))) < 200 * Math.max(letters, 1000)]).toEqual([
        clean.name,
        fill,
        true,
      ]);
  }
});
