import { cents, formatUsd } from "@marketday/domain/money";

/** Dollars as the wire has them (8.95) to words: "$8.95", "−$2.00". */
export const formatMoney = (dollars: number): string => formatUsd(cents(Math.round(dollars * 100)));

/** Cents that are whole dollars: "$20". */
export const formatWhole = (wholeCents: number): string => `$${wholeCents / 100}`;
