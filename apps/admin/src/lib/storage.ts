import { createStorage } from "@marketday/client/storage.ts";

/** What the browser keeps for the admin app. */
export const { setItem, getItem, removeItem } = createStorage("marketday-admin");
