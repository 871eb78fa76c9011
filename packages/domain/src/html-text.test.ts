import { expect, test } from "vitest";

import { plainText } from "./html-text.ts";

test.each([
  [
    "paragraphs are words apart",
    "<p>Three sisters.</p><p>One\n field<br />of <b>rye</b></p>",
    "Three sisters. One field of rye",
  ],
  [
    "a tag within a sentence adds no space",
    "<p>We grow <strong>rye</strong>, <em>oat</em>s.</p>",
    "We grow rye, oats.",
  ],
  ["list items and cells are words apart", "<ul><li>Rye</li><li>Oats</li></ul><td>1</td><td>2</td>", "Rye Oats 1 2"],
  [
    "escaped characters are read once",
    "<p>Tom &amp; Sons, &lt;3 &amp;amp; &quot;more&quot;</p>",
    'Tom & Sons, <3 &amp; "more"',
  ],
  ["nothing is nothing", "<p> </p>", ""],
])("text of HTML: %s", (_, html, text) => {
  expect(plainText(html)).toBe(text);
});
