import { createStorage } from "@marketday/client/storage.ts";

/** What the browser keeps for the admin app. */
export const adminStorage = createStorage("marketday-admin");
export const { setItem, getItem, removeItem, removeAll, claimSessionStorage } = adminStorage;
