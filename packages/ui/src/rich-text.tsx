import s from "./rich-text.module.css";

/** A description with its paragraphs, lists and links: HTML that was sanitised when it was stored (docs/product.md §5). */
export const RichText = ({ html, id }: { html: string; id?: string }) => (
  // oxlint-disable-next-line react/no-danger -- sanitised when it was stored, and the policy stands behind it
  <div id={id} className={s.text} data-rich-text="" dangerouslySetInnerHTML={{ __html: html }} />
);
