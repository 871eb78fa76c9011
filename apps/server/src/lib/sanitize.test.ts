import { plainText } from "@marketday/domain/html-text";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { attacks, cleaned } from "../../test/attacks.ts";
import { sanitizeDescription } from "./sanitize.ts";

/** The only allowed tags in the output, exactly as written. */
const GOOD =
  /^<(?:\/?(?:p|b|strong|i|em|ul|ol|li|h3|h4)|br \/|\/a|a href="(?:https:\/\/|mailto:)[^"<>\s]*" rel="noopener nofollow")>$/;
const badTags = (html: string) => (html.match(/<[^>]*>?/g) ?? []).filter((tag) => !GOOD.test(tag));

describe("descriptions", () => {
  test.each(cleaned)("%j", { tags: ["fail:H1"] }, (given, left) => {
    const clean = sanitizeDescription(given);
    expect(clean).toBe(left);
    expect(badTags(clean)).toEqual([]);
    expect(sanitizeDescription(clean)).toBe(clean);
  });

  test("two hundred attacks leave only allowed tags", { tags: ["fail:H1"] }, () => {
    expect(attacks.length).toBeGreaterThan(200);
    for (const attack of attacks) {
      const clean = sanitizeDescription(attack);
      expect(badTags(clean), attack).toEqual([]);
      expect(sanitizeDescription(clean), attack).toBe(clean);
    }
  });

  test("allowed elements stay unchanged", () => {
    const good =
      '<h3>Our herd</h3><p>Forty <strong>Jersey</strong> cows &amp; one <em>dog</em>.<br />See <a href="https://farm.example/herd?a=1&amp;b=2" rel="noopener nofollow">them</a>.</p><h4>Also</h4><ul><li><b>Milk</b></li><li><i>Cream</i></li></ul><ol><li>One</li></ol>';
    expect(sanitizeDescription(good)).toBe(good);
    expect(sanitizeDescription("  Plain words, naïve café 🍅  ")).toBe("Plain words, naïve café 🍅");
    expect(sanitizeDescription("")).toBe("");
  });

  test("the text of a description has no entity left", () => {
    const html = sanitizeDescription(
      "<p>Tom &amp; Sons&rsquo; caf&eacute;,&nbsp;&#x27;<b>rye</b>&#39; &lt;3 &quot;oats&quot;</p>",
    );
    expect(plainText(html)).toBe(`Tom & Sons’ café, 'rye' <3 "oats"`);
  });

  test(
    "only allowed tags in the output, for any combination of fragments, and idempotent",
    { tags: ["fail:H1"] },
    () => {
      const pieces = fc.constantFrom(
        ...attacks,
        ..."<>&\"'`=/!-;: \n\t\0".split(""),
        ..."p b a br li svg math script style noscript textarea xmp title template table form"
          .split(" ")
          .flatMap((tag) => [`<${tag}>`, `</${tag}>`, `<${tag} x="`]),
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "&#60;",
        "&lt;",
        "&amp;lt;",
        " onerror=alert(1) ",
        ' href="https://x.example"',
        "javascript:",
      );
      fc.assert(
        fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
          const clean = sanitizeDescription(parts.join(""));
          expect(badTags(clean)).toEqual([]);
          expect(sanitizeDescription(clean)).toBe(clean);
        }),
        { numRuns: 3000 },
      );
    },
  );

  test("deeply nested tags are cut off", () => {
    const deep = sanitizeDescription(`${"<ul><li>".repeat(5000)}x`);
    expect(deep.length).toBeLessThan(500);
  });
});
