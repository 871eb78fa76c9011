import { useLocation } from "react-router";

/** The wire takes no page beyond this. */
const LAST = 1_000_000;

/** The page in the query of an address (`?page=`); anything but a positive whole number is the first. */
export function pageOf(search: string): number {
  const page = Number(new URLSearchParams(search).get("page") ?? 1);
  return Number.isSafeInteger(page) && page > 0 ? Math.min(page, LAST) : 1;
}

/** The page in the address of the page or overlay that uses it. */
export const usePageNumber = (): number => pageOf(useLocation().search);

/** The address of a page: the first one has no number. */
export const pageAddress = (path: string, page: number): string => (page === 1 ? path : `${path}?page=${page}`);
