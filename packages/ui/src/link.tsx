import type { ComponentProps, MouseEvent } from "react";
import { createPath, type To, useHref, useLocation, useNavigate } from "react-router";

export interface LinkProps extends Omit<ComponentProps<"a">, "href"> {
  to: To;
  /** The history entry of the address before is replaced. */
  replace?: boolean;
  /** What the new history entry remembers. */
  state?: unknown;
}

/** Whether the browser follows a click: with a key held, another button, or into another tab. */
const isOfBrowser = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent, target: string | undefined): boolean =>
  button !== 0 || metaKey || altKey || ctrlKey || shiftKey || (target !== undefined && target !== "_self");

/**
 * A link to a page of the app, by the router. The router's own `Link` is in one file with the prefetches and forms of its framework,
 * 6 kB that nothing here uses.
 */
export function Link({ to, replace, state, target, onClick, children, ...rest }: LinkProps) {
  const href = useHref(to);
  const navigate = useNavigate();
  const location = useLocation();
  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || isOfBrowser(event, target)) return;
    event.preventDefault();
    // The address that is here already is no new entry of the history.
    void navigate(to, { state, replace: replace ?? createPath(location) === href });
  };
  return (
    <a {...rest} href={href} target={target} onClick={click}>
      {children}
    </a>
  );
}
