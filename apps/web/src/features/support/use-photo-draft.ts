import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import type { Customer } from "@marketday/contracts/account";
import { useEffect, useEffectEvent, useRef, useState } from "react";

import { getItem, removeItem, setItem } from "../../lib/storage.ts";
import { deleteOldPhotos, deletePhotos, loadPhotos, storePhoto } from "./photo-store.ts";

/** A photo that is going to be sent. */
export interface Photo {
  id: number;
  blob: Blob;
  /** For the picture of it. */
  url: string;
  /** In the browser's database; null: it has no room, so a reload loses the photo. */
  key: number | null;
}

let last = 0;
const photoOf = (blob: Blob, key: number | null): Photo => ({
  id: ++last,
  blob,
  url: URL.createObjectURL(blob),
  key,
});

/**
 * The photos of a draft, kept in this tab until they are sent: a reload, a way out and back, or an ended session loses none. The
 * session storage names them, the browser's database has them.
 */
export function usePhotoDraft(draft: string, customerId: Customer["customerId"]) {
  const name = `draft:${draft}`;
  /** Null: not loaded yet. */
  const [photos, setPhotos] = useState<Photo[] | null>(null);
  const [hasLost, setLost] = useState(false);
  const [isListed, setListed] = useState(true);
  const newest = useRef<Photo[]>([]);
  /** How many drafts were sent: a photo that is stored after that belongs to none. */
  const sent = useRef(0);
  /** The keys that the browser gave no answer for: the next time it may. */
  const unanswered = useRef<readonly number[]>([]);
  const show = (next: Photo[]) => {
    newest.current = next;
    setPhotos(next);
    const keys = [...unanswered.current, ...next.flatMap(({ key }) => (key === null ? [] : [key]))];
    if (keys.length === 0) removeItem("session", name);
    else setItem("session", name, keys);
    setListed((getItem<number[]>("session", name)?.length ?? 0) === keys.length);
  };
  const load = useEffectEvent(async (isGone: () => boolean) => {
    const keys = getItem<number[]>("session", name) ?? [];
    const found = await loadPhotos(customerId, keys);
    if (isGone()) return;
    if (!found) unanswered.current = keys;
    const loaded = (found ?? []).map(({ key, blob }) => photoOf(blob, key));
    setLost(loaded.length < keys.length);
    show(loaded);
    await deleteOldPhotos(customerId);
  });
  // Object URLs are revoked when the form unmounts.
  useEffect(() => {
    let isGone = false;
    void load(() => isGone);
    return () => {
      isGone = true;
      newest.current.forEach(({ url }) => URL.revokeObjectURL(url));
    };
  }, []);
  const isKept = isListed && (photos ?? []).every(({ key }) => key !== null);
  useUnsaved(!isKept);
  const drop = (gone: readonly Photo[]) => {
    gone.forEach(({ url }) => URL.revokeObjectURL(url));
    void deletePhotos(gone.flatMap(({ key }) => (key === null ? [] : [key])));
  };
  return {
    photos,
    /** Photos of before could not be loaded. */
    hasLost,
    /** Whether a reload loses none. */
    isKept,
    add: async (blob: Blob) => {
      const before = sent.current;
      const key = await storePhoto(customerId, blob);
      if (sent.current !== before) return void (key !== null && (await deletePhotos([key])));
      setLost(false);
      show([...newest.current, photoOf(blob, key)]);
    },
    remove: (photo: Photo) => {
      drop([photo]);
      show(newest.current.filter(({ id }) => id !== photo.id));
    },
    /** They were sent: nothing is kept. */
    clear: () => {
      sent.current += 1;
      drop(newest.current);
      void deletePhotos(unanswered.current);
      unanswered.current = [];
      setLost(false);
      show([]);
    },
  };
}
