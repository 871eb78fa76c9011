import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { strictJson } from "./strict-json.ts";

const read = (text: string) => strictJson(Buffer.from(text));

test("strict JSON: parses the same values as JSON.parse", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(0, 1, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      if (/"(__proto__|constructor|prototype)"\s*:/.test(text)) return;
      expect(read(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['{"a":{"b":1},"b":{"b":1}}', "the same name in two objects"],
  ['[{"a":1},{"a":1}]', "the same name in two of a list"],
  ['{"a":"a","b":"a"}', "a name that is also a value"],
  ['{"a":["a","a"]}', "a value twice"],
  ['{"a":"\\"b\\":1,","b":2}', "what looks like a name in a text"],
  ['{"a":"\\\\","b":2}', "a text that ends in a backslash"],
  ['{"a":"constructor","b":"__proto__"}', "names of the language as values"],
  ['"constructor"', "a text alone"],
  ['{"a":"\\ud83d\\ude00","\\uD83D\\uDE00":1}', "a pair of surrogates, spelled out"],
  ['"\\\\ud83d"', "what only looks like one"],
  [`${"[".repeat(32)}${"]".repeat(32)}`, "32 deep"],
])("strict JSON: %s is accepted: %s", (text) => {
  expect(read(text)).toEqual(JSON.parse(text));
});

describe("strict JSON: rejected", { tags: ["fail:I9"] }, () => {
  test.each([
    ["", "nothing"],
    ["{", "half"],
    ["{}x", "more behind"],
    ["{'a':1}", "other quotes"],
    ['{"a":NaN}', "no number"],
    ['{"a":1,"a":2}', "a name twice"],
    ['{"a":1,"b":[],"a" : 1}', "a name twice, apart"],
    ['{"a":1,"\\u0061":2}', "a name twice, written in two ways"],
    ['[[{"x":{"a":1,"a":1}}]]', "a name twice, inside"],
    ['{"__proto__":{"x":1}}', "the prototype"],
    ['{"__pro\\u0074o__":{"x":1}}', "the prototype in disguise"],
    ['{"a":{"constructor":{"prototype":{"x":1}}}}', "the constructor"],
    [`${"[".repeat(33)}${"]".repeat(33)}`, "33 deep"],
    [`${"[".repeat(10_000)}${"]".repeat(10_000)}`, "10,000 lists deep"],
    [`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, "10,000 objects deep"],
    ["\uFEFF{}", "a byte order mark"],
    ['"\\ud800"', "half a pair, spelled out"],
    ['{"a":["\\uDC00\\uD800"]}', "a pair the wrong way round"],
    ['{"a":[{"x\\udfffx":1}]}', "half a pair in a name"],
  ])("%.30s: %s", (text) => {
    expect(() => read(text)).toThrow("That request is not understood.");
  });

  test.each([
    ["c3 28", "a broken sequence"],
    ["ff", "no beginning"],
    ["c0 af", "a slash written too long"],
    ["ed a0 80", "half a pair"],
    ["f4 90 80 80", "beyond the last character"],
  ])("bytes %s: %s", (bytes) => {
    const body = Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from(bytes.replaceAll(" ", ""), "hex"),
      Buffer.from('"}'),
    ]);
    expect(() => strictJson(body)).toThrow("That request is not understood.");
  });
});
