import { expect, type Page } from "@playwright/test";

/** In the page, from its start: what Chrome's translation does to text nodes, except for the words. */
export function translate(): void {
  const wrap = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest("script, style, textarea, font")) continue;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element) wrap(node);
  }).observe(document, { childList: true, subtree: true });
}

/** No text that React renders is beside another node, in the page and its frames: a translation would leave it as it first was. */
export async function expectSeparateTexts(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    const beside = await frame.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      while (walker.nextNode()) {
        const { parentElement: parent, textContent: text } = walker.currentNode;
        if (!parent || !text?.trim() || parent.childNodes.length === 1) continue;
        const isOfReact = (node: Node) => Object.keys(node).some((key) => key.startsWith("__reactFiber$"));
        // HTML that a person wrote is set as a whole, and has no element of React's.
        if (isOfReact(parent) && [...parent.childNodes].some(isOfReact)) found.push(`${text} in ${parent.outerHTML}`);
      }
      return found;
    });
    expect(beside).toEqual([]);
  }
}
