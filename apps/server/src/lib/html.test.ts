import { describe, expect, test } from "vitest";

import { attacks } from "../../test/attacks.ts";
import { html, multiline, scriptJson, trusted } from "./html.ts";

const textOf = (value: { toString(): string }) => value.toString();

describe("html", () => {
  test("text with a script, in an element and in a quoted attribute: is escaped", () => {
    const title = `"><script>alert('x')</script> & more`;
    const escaped = "&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; more";
    expect(textOf(html`<title>${title}</title>`)).toBe(`<title>${escaped}</title>`);
    expect(textOf(html`<meta content="${title}">`)).toBe(`<meta content="${escaped}">`);
    expect(textOf(html`<b>${title}</b>${title}`)).toBe(`<b>${escaped}</b>${escaped}`);
  });

  test("two hundred attacks: no tag, and no quote that ends an attribute", { tags: ["fail:H2"] }, () => {
    for (const attack of attacks) {
      expect(textOf(html`${attack}`), attack).not.toMatch(/[<>"']/);
      expect(textOf(multiline(attack)).replaceAll("<br>", ""), attack).not.toMatch(/[<>"']/);
      expect(textOf(scriptJson(attack)), attack).not.toContain("<");
      expect(JSON.parse(textOf(scriptJson(attack)))).toBe(attack);
    }
  });

  test("HTML is not escaped again, however deep in arrays; text beside it is", () => {
    const items = ["a&b", "c"].map((name) => html`<li>${name}</li>`);
    expect(textOf(html`<ul>${[items, [html`<li>d</li>`, "<e>"]]}</ul>`)).toBe(
      "<ul><li>a&amp;b</li><li>c</li><li>d</li>&lt;e&gt;</ul>",
    );
    expect(textOf(html`${trusted("<b>&amp;</b>")}`)).toBe("<b>&amp;</b>");
  });

  test("null, undefined and false are nothing; 0 and other numbers are printed", () => {
    expect(textOf(html`[${null}${undefined}${false}${""}${[]}]`)).toBe("[]");
    expect(textOf(html`${0} ${1.5} ${-2}`)).toBe("0 1.5 -2");
  });

  test("two pages that differ in their HTML differ as JSON, by which cached pages are compared", () => {
    const json = (name: string) => JSON.stringify({ fallback: html`<h1>${name}</h1>` });
    expect(json("Eggs")).not.toBe(json("Jam"));
    expect(json("Eggs")).toBe(json("Eggs"));
  });

  test("a string in the place of HTML, or an object in a template: TypeScript refuses it", () => {
    const page: { body: ReturnType<typeof html> } = { body: html`<p>Eggs</p>` };
    // @ts-expect-error A string may not be escaped.
    page.body = "<p>Eggs</p>";
    // @ts-expect-error It would be printed as "[object Object]".
    expect(() => html`${{ name: "Eggs" }}`).toThrow(TypeError);
  });
});
