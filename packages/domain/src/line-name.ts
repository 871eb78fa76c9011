/** What a variant's title says that its product's does not: "Dozen" of "Pasture Eggs", nothing of "Pasture Eggs, Dozen". */
export function formatVariant(product: string, variant: string): string {
  return ` ${product}`.toLowerCase().endsWith(` ${variant}`.toLowerCase()) ? "" : variant;
}

/** A line as one thing to name, in lists, mails and to a reader of the screen: "Heirloom Tomatoes, Pint". */
export const lineName = (product: string, variant: string): string =>
  [product, formatVariant(product, variant)].filter(Boolean).join(", ");
