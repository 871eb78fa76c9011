import type { ReactElement, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { separateText } from "./separate-text.ts";

const Note = ({ children }: { children: ReactNode }) => (
  <p>
    <b>Note</b>
    {children}
  </p>
);
const [money, count, isNew, hasMore] = ["$11.00", 3, true, false];

test.each<{ of: string; element: ReactElement; html: string }>([
  {
    of: "of texts only is one text",
    element: (
      <p>
        Total {money}, {count} items
      </p>
    ),
    html: "<p>Total $11.00, 3 items</p>",
  },
  {
    of: "of texts and conditions that do not hold is one text",
    element: (
      <p>
        {hasMore && <b>more</b>}
        {count} left
        {null}
      </p>
    ),
    html: "<p>3 left</p>",
  },
  {
    of: "of texts and an element has each text in a span",
    element: (
      <p>
        Total {money} <b>new</b> of {count}
      </p>
    ),
    html: "<p><span>Total $11.00 </span><b>new</b><span> of 3</span></p>",
  },
  {
    of: "keeps white space between elements",
    element: (
      <p>
        <b>a</b> <i>b</i>
      </p>
    ),
    html: "<p><b>a</b> <i>b</i></p>",
  },
  {
    of: "that is a fragment has its text in a span, for it has siblings where it is rendered",
    element: (
      <p>
        <b>a</b>
        <>
          {money}
          {isNew && " new"}
        </>
      </p>
    ),
    html: "<p><b>a</b><span>$11.00 new</span></p>",
  },
  {
    of: "that is given to a component has its text in a span beside the component's own",
    element: (
      <Note>
        {count} left of {money}
      </Note>
    ),
    html: "<p><b>Note</b><span>3 left of $11.00</span></p>",
  },
  {
    of: "that is an option stays text",
    element: (
      <option>
        {count} × {money}
      </option>
    ),
    html: "<option>3 × $11.00</option>",
  },
])("an element with several children $of", ({ element, html }) => {
  expect(renderToStaticMarkup(element)).toBe(html);
});

test("an element keeps its place among its parent's children, whichever texts are beside it", () => {
  const input = <input />;
  for (const children of [
    ["Total ", money, input],
    [false, "now", input],
    [null, null, input],
  ])
    expect((separateText("p", children) as ReactNode[]).indexOf(input)).toBe(2);
});
