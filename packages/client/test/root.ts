import { createRoot, type Root, type RootOptions } from "react-dom/client";

const ignore = () => undefined;
const page = { nodeType: 9, addEventListener: ignore, activeElement: null, defaultView: null };

/** React's own root for hooks and components without elements, outside of a browser: the browser tests have the elements. */
export function createBareRoot(options?: RootOptions): Root {
  const place = { nodeType: 1, tagName: "DIV", addEventListener: ignore, ownerDocument: page };
  return createRoot(place as unknown as HTMLElement, options);
}
