import type { Me } from "@marketday/contracts/admin/session";

/** The market of an address (slug or id), of those that the person may see. */
export const findHub = ({ hubs }: Pick<Me, "hubs">, key: string): Me["hubs"][number] | undefined =>
  hubs.find(({ id, slug }) => slug === key || String(id) === key);
