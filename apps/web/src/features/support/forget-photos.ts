import type { Customer } from "@marketday/contracts/account";

import { PHOTO_DATABASE } from "../../lib/storage.ts";

/**
 * Deletes what others left of photos in this browser: a tab that was closed without a logout keeps them. `profile`: who is here. A
 * guest may be a customer whose session has expired, so only what is old goes then.
 */
export async function forgetPhotos(profile: Pick<Customer, "customerId" | "isGuest"> | null): Promise<void> {
  try {
    // Not every browser lists its databases.
    const databases = await (indexedDB as Partial<IDBFactory>).databases?.call(indexedDB);
    if (databases?.every(({ name }) => name !== PHOTO_DATABASE)) return;
    const { deleteOldPhotos } = await import("./photo-store.ts");
    await deleteOldPhotos(profile && !profile.isGuest ? profile.customerId : null);
  } catch {
    // No database, or no network for the code: the next visit tries again.
  }
}
