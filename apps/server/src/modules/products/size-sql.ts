import { sql } from "@marketday/db";
import { type Amount, formatSized } from "@marketday/domain/size";
import { z } from "zod";

/** The columns that say how much one of a variant is, besides its title. */
export const SizeColumns = z.object({
  unit: z.string().nullable(),
  measure: z.string().nullable(),
  measure_amount: z.number().nullable(),
});
export type SizeColumns = z.infer<typeof SizeColumns>;

/** `SizeColumns` of a variant `v`. */
export const sizeColumns = sql`v.unit, v.measure, v.measure_amount`;
/** `sizeColumns` as the pairs of a `json_build_object`. */
export const sizePairs = sql`'unit', v.unit, 'measure', v.measure, 'measure_amount', v.measure_amount`;

/** A row's columns as the domain takes them. */
export const amountOf = ({ unit, measure, measure_amount: measureAmount }: SizeColumns): Amount => ({
  unit,
  measure,
  measureAmount,
});

/** A line with the titles that it was ordered or is offered with. */
export interface TitledLine extends SizeColumns {
  product_title: string;
  variant_title: string;
}

/** A line as one thing to name, in mails and banners: "Goat Cheese, Round, 5 oz". */
export const nameOfLine = (line: TitledLine): string =>
  formatSized(line.product_title, line.variant_title, amountOf(line));
