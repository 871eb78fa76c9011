import { deviceNow } from "@marketday/client/clock.ts";
import type { Customer } from "@marketday/contracts/account";
import { Day } from "@marketday/domain/time";

import { PHOTO_DATABASE } from "../../lib/storage.ts";

type CustomerId = Customer["customerId"];

/** A photo of a report that is not sent. Bytes, because not every browser stores a blob. */
interface StoredPhoto {
  customerId: CustomerId;
  /** By the device, ms. */
  at: number;
  bytes: ArrayBuffer;
}

const STORE = "photos";
/** What a form waits at most for the browser's database: some never answer. */
const DEADLINE_MS = 10_000;
/** How long a tab that was closed leaves its photos. */
const KEEP_MS = 7 * Day.ms;

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("The database failed.")));
  });

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(PHOTO_DATABASE, 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE, { autoIncrement: true }));
  const database = await resultOf(request);
  // Deleted by a logout in another tab.
  database.addEventListener("versionchange", () => database.close());
  return database;
}

/**
 * Runs one transaction, which has ended when this resolves. Null: the browser has no room, no database or no answer; `onLate` hears
 * a result that comes after that.
 */
async function withPhotos<T>(
  run: (photos: IDBObjectStore) => Promise<T>,
  onLate?: (result: T) => void,
): Promise<T | null> {
  const work = async () => {
    const database = await openDatabase();
    try {
      const transaction = database.transaction(STORE, "readwrite");
      const ended = new Promise<void>((resolve, reject) => {
        transaction.addEventListener("complete", () => resolve());
        transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("The transaction failed.")));
      });
      const [result] = await Promise.all([run(transaction.objectStore(STORE)), ended]);
      return result;
    } finally {
      database.close();
    }
  };
  let isOver = false;
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), DEADLINE_MS));
  const working = work().then(
    (result) => {
      if (isOver) onLate?.(result);
      return result;
    },
    () => null,
  );
  const result = await Promise.race([working, late]);
  isOver = true;
  return result;
}

/** Stores a photo of a customer's draft in this browser. @returns its key; null: it is not stored */
export async function storePhoto(customerId: CustomerId, photo: Blob): Promise<number | null> {
  const stored: StoredPhoto = { customerId, at: deviceNow(), bytes: await photo.arrayBuffer() };
  return withPhotos(
    async (photos) => Number(await resultOf(photos.add(stored))),
    (key) => void deletePhotos([key]),
  );
}

/**
 * The photos of these keys, in their order; what is missing or another customer's is left out. Null: the browser gave no answer.
 */
export async function loadPhotos(
  customerId: CustomerId,
  keys: readonly number[],
): Promise<{ key: number; blob: Blob }[] | null> {
  if (keys.length === 0) return [];
  const found = await withPhotos((photos) =>
    Promise.all(keys.map((key) => resultOf<StoredPhoto | undefined>(photos.get(key)))),
  );
  return (
    found?.flatMap((photo, place) =>
      photo?.customerId === customerId
        ? [{ key: keys[place]!, blob: new Blob([photo.bytes], { type: "image/jpeg" }) }]
        : [],
    ) ?? null
  );
}

/** Deletes photos that were sent or removed. */
export async function deletePhotos(keys: readonly number[]): Promise<void> {
  if (keys.length > 0) await withPhotos((photos) => Promise.all(keys.map((key) => resultOf(photos.delete(key)))));
}

/** Deletes what other customers left in this browser, and what a closed tab left a week ago. Null: of all customers only the latter. */
export async function deleteOldPhotos(customerId: CustomerId | null): Promise<void> {
  await withPhotos(async (photos) => {
    const [keys, all] = await Promise.all([resultOf(photos.getAllKeys()), resultOf<StoredPhoto[]>(photos.getAll())]);
    for (const [place, photo] of all.entries())
      if ((customerId !== null && photo.customerId !== customerId) || photo.at < deviceNow() - KEEP_MS)
        photos.delete(keys[place]!);
  });
}
