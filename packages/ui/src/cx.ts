/** Joins the class names that are there: `cx(s.tile, inCart && s.inCart)`. */
export const cx = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(" ");
