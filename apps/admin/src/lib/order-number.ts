/** "312 325 384", with spaces that do not break */
export const formatOrderNumber = (id: number): string => String(id).replaceAll(/\B(?=(?:\d{3})+$)/g, "\u00A0");
