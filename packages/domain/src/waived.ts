import { CARD_MINIMUM } from "./limits.ts";
import { formatUsd } from "./money.ts";

/** The line of an order for a rest that is too small for a card (docs/product.md §7 "Small amounts"): "Waived, under $0.50". */
export const WAIVED_LINE = `Waived, under ${formatUsd(CARD_MINIMUM)}`;
