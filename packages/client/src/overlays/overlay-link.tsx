import { type ComponentProps, type MouseEvent, type ReactNode, useId } from "react";

interface OverlayLinkProps extends Omit<ComponentProps<"a">, "href" | "onClick"> {
  /** An absolute path. */
  to: string;
  children: ReactNode;
}

interface Opening {
  open: (to: string, opener: string) => void;
  prefetch: (to: string) => void;
}

/**
 * A link to an overlay: opens it over the current page, by its real address, and gets the focus back. Code and
 * data are prefetched when a finger or a pointer comes near. A page has hundreds of them, and none re-renders when
 * an overlay opens; the router's own link re-renders with every change of the address.
 */
export const createOverlayLink = (useOpening: () => Opening) =>
  function OverlayLink({ to, id: given, children, ...rest }: OverlayLinkProps) {
    const { open, prefetch } = useOpening();
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
  };

/** A plain click: not for another tab or window, and not yet handled. */
const opensHere = (event: MouseEvent<HTMLAnchorElement>) =>
  event.button === 0 &&
  !event.defaultPrevented &&
  !event.metaKey &&
  !event.ctrlKey &&
  !event.shiftKey &&
  !event.altKey &&
  (event.currentTarget.target === "" || event.currentTarget.target === "_self");
