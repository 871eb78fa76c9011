import type { ReactElement } from "react";
import { expect, test, vi } from "vitest";

import { Button } from "./button.tsx";

/** Presses a button that is rendered with these properties. */
function press(state: { disabled?: boolean; busy?: string | false }) {
  const onClick = vi.fn();
  const { props } = Button({ type: "submit", onClick, children: "Save", ...state }) as ReactElement<{
    onClick: (event: { preventDefault: () => void }) => void;
  }>;
  const preventDefault = vi.fn();
  props.onClick({ preventDefault });
  return { onClick, preventDefault };
}

test.each([{ disabled: true }, { busy: "Saving…" }, { disabled: true, busy: "Saving…" }])(
  "button: pressed while it is %o it neither runs its action nor submits its form",
  (state) => {
    const { onClick, preventDefault } = press(state);
    expect(onClick).not.toHaveBeenCalled();
    expect(preventDefault).toHaveBeenCalledOnce();
  },
);

test("button: pressed while it is neither disabled nor busy it runs its action and submits its form", () => {
  const { onClick, preventDefault } = press({ busy: false });
  expect(onClick).toHaveBeenCalledOnce();
  expect(preventDefault).not.toHaveBeenCalled();
});
