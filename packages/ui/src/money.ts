import { cents, formatUsd } from "@marketday/domain/money";

/** Dollars as the wire has them (8.95) to words: "$8.95", "−$2.00". */
export const formatMoney = (dollars: number): string => formatUsd(cents(Math.round(dollars * 100)));
