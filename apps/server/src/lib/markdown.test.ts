import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { escapeMarkdown, markdownToHtml, markdownToText } from "./markdown.ts";

/** The only allowed tags in the output, exactly as written. */
const GOOD =
  /^<(?:\/?(?:h[234]|p|strong|em|s|code|pre|blockquote|ul|li|table|thead|tbody|tr|th|td)|[bh]r \/|\/a|ol(?: start="\d+")?|\/ol|a href="(?:https:\/\/[^"<>\s]*" rel="noopener|(?:mailto:|tel:|\/(?![/\\])|#)[^"<>\s]*)")>$/;
const badTags = (html: string) => (html.match(/<[^>]*>?/g) ?? []).filter((tag) => !GOOD.test(tag));

describe("Markdown: supported elements", () => {
  test.each([
    ["# Title", "<h2>Title</h2>"],
    ["## A\n\n###### B", "<h2>A</h2>\n<h4>B</h4>"],
    ["a **b** _c_ ~~d~~ `e`", "<p>a <strong>b</strong> <em>c</em> <s>d</s> <code>e</code></p>"],
    ["3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ["[x](/faq#y)", '<p><a href="/faq#y">x</a></p>'],
    ["[x](https://a.example/b?c=d)", '<p><a href="https://a.example/b?c=d" rel="noopener">x</a></p>'],
    ["[x](mailto:a@b.example)", '<p><a href="mailto:a@b.example">x</a></p>'],
    ["[x](tel:+13125550142)", '<p><a href="tel:+13125550142">x</a></p>'],
    ["a & b < c", "<p>a &amp; b &lt; c</p>"],
  ])("%j", (source, html) => expect(markdownToHtml(source)).toBe(html));
});

describe("Markdown: unsafe input", { tags: ["fail:H1", "fail:H2"] }, () => {
  test.each([
    ["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
    ["a <img src=x onerror=alert(1)> b", "<p>a &lt;img src=x onerror=alert(1)&gt; b</p>"],
    ["<svg/onload=alert(1)>\n\n**b**", "<p>&lt;svg/onload=alert(1)&gt;</p>\n<p><strong>b</strong></p>"],
    ["[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"],
    ["[x](JaVaScRiPt:alert(1))", "<p>[x](JaVaScRiPt:alert(1))</p>"],
    ["[x](data:text/html;base64,PHNjcmlwdD4=)", "<p>[x](data:text/html;base64,PHNjcmlwdD4=)</p>"],
    ["[x](//evil.example)", "<p>x</p>"],
    ["[x](http://plain.example)", "<p>x</p>"],
    ["[x](https://user:word@evil.example)", "<p>x</p>"],
    ["[x](relative)", "<p>x</p>"],
    ["![x](https://evil.example/a.png)", '<p>!<a href="https://evil.example/a.png" rel="noopener">x</a></p>'],
    ["<https://a.example>", '<p><a href="https://a.example/" rel="noopener">https://a.example</a></p>'],
    ["<javascript:alert(1)>", "<p>&lt;javascript:alert(1)&gt;</p>"],
    ['[x](/a "t" onclick=1)', "<p>[x](/a &quot;t&quot; onclick=1)</p>"],
    ['[x](/a "onclick")', '<p><a href="/a">x</a></p>'],
    ["```html\n<script>alert(1)</script>\n```", "<pre><code>&lt;script&gt;alert(1)&lt;/script&gt;\n</code></pre>"],
  ])("%j", (source, html) => {
    expect(markdownToHtml(source).replaceAll("&quot;", '"')).toBe(html.replaceAll("&quot;", '"'));
    expect(badTags(markdownToHtml(source))).toEqual([]);
  });

  test("only allowed tags in the output, for any combination of fragments", () => {
    const piece = fc.constantFrom(
      ..."<script> </script> <img src=x onerror=1> [x]( ) javascript: // /\\ \\ ` ``` ** _ # > - 1. | --- \n \n\n ! < > & \" ' &#x6a; &Tab; https://a.example tel: data: <svg <a href= \u0000 \u202e {{market}}".split(
        " ",
      ),
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        expect(badTags(markdownToHtml(pieces.join("")))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test("an escaped name with any characters is rendered literally", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 20 }), (name) => {
        const shown = name.replaceAll(/\s+/g, " ").trim();
        fc.pre(shown !== "" && !/\p{Cc}/u.test(name));
        expect(markdownToText(`a ${escapeMarkdown(shown)} b`)).toBe(`a ${shown} b`);
      }),
    );
  });
});

test("Markdown as text is one line", () => {
  expect(markdownToText("# A\n\nb **c**\nd [e](/f)\n\n- g & <b>\n- `h`\n\n```\ni\n```")).toBe("A b c d e g & <b> h i");
});
