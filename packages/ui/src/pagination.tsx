import { ELLIPSIS, pageWindow } from "@marketday/domain/paging";

import * as t from "#messages";

import s from "./pagination.module.css";

interface PaginationProps {
  label: string;
  page: number;
  pages: number;
  /** The address of a page: every number is a real link. */
  href: (page: number) => string;
  onSelect: (page: number) => void;
}

/** Numbered pages: all up to 6, else a window with "…". */
export function Pagination({ label, page, pages, href, onSelect }: PaginationProps) {
  if (pages < 2) return null;
  return (
    <nav aria-label={label}>
      <ol className={s.pages}>
        {pageWindow(page, pages).map((entry, place) => (
          <li key={entry === ELLIPSIS ? `gap-${place}` : entry}>
            {entry === ELLIPSIS ? (
              <span className={s.gap}>{ELLIPSIS}</span>
            ) : (
              <a
                href={href(entry)}
                className={s.page}
                aria-label={t.pageNumber(entry)}
                aria-current={entry === page ? "page" : undefined}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                  event.preventDefault();
                  onSelect(entry);
                }}
              >
                {entry}
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
