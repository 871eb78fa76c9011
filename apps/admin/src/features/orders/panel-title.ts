/** The id of the title of an order's panel, which takes the focus. */
export const panelTitleId = (id: string): string => `order-${id}-title`;
