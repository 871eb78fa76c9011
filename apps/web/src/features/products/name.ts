/** A line as one thing to name: "Heirloom Tomatoes, Pint". */
export const nameOf = (title: string, { size }: { size: string }): string => [title, size].filter(Boolean).join(", ");
