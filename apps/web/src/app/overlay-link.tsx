import { type ComponentProps, type MouseEvent, type ReactNode, useId } from "react";

import { useLayers } from "./use-layers.ts";

interface OverlayLinkProps extends Omit<ComponentProps<"a">, "href" | "onClick"> {
  /** An absolute path. */
  to: string;
  children: ReactNode;
}

/**
 * A link to an overlay: opens it over the page that is here, by its real address, and gets the focus back. Code and
 * data are fetched as soon as a finger or a pointer comes near. A page has hundreds of them, and none is drawn anew when
 * a layer opens: the router's own link is, with every change of the address.
 */
export function OverlayLink({ to, id: given, children, ...rest }: OverlayLinkProps) {
  const { open, prefetch } = useLayers();
  const made = useId();
  const id = given ?? made;
  const near = () => prefetch(to);
  return (
    <a
      {...rest}
      id={id}
      href={to}
      onPointerEnter={near}
      onTouchStart={near}
      onFocus={near}
      onClick={(event) => {
        if (!opensHere(event)) return;
        event.preventDefault();
        open(to, id);
      }}
    >
      {children}
    </a>
  );
}

/** Not in another tab or window, and nobody has dealt with it. */
const opensHere = (event: MouseEvent<HTMLAnchorElement>) =>
  event.button === 0 &&
  !event.defaultPrevented &&
  !event.metaKey &&
  !event.ctrlKey &&
  !event.shiftKey &&
  !event.altKey &&
  (event.currentTarget.target === "" || event.currentTarget.target === "_self");
