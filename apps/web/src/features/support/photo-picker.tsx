import { PROBLEM_PHOTOS_MAX } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { useId, useRef, useState } from "react";

import { shrink } from "./shrink.ts";
import type { Photo } from "./use-photo-draft.ts";

import s from "./photo-picker.module.css";

interface PhotoPickerProps {
  photos: readonly Photo[];
  disabled: boolean;
  /** Photos are being read and stored. */
  busy: boolean;
  onBusy: (busy: boolean) => void;
  onAdd: (photo: Blob) => Promise<void>;
  onRemove: (photo: Photo) => void;
}

/** Up to four photos, seen before they are sent. */
export function PhotoPicker({ photos, disabled, busy, onBusy, onAdd, onRemove }: PhotoPickerProps) {
  const [error, setError] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const left = PROBLEM_PHOTOS_MAX - photos.length;

  const add = async (files: File[]) => {
    onBusy(true);
    setError(files.length > left ? `At most ${PROBLEM_PHOTOS_MAX} photos` : null);
    for (const file of files.slice(0, left)) {
      let photo: Blob;
      try {
        photo = await shrink(file);
      } catch {
        setError(`${file.name} isn't an image this browser can open`);
        continue;
      }
      await onAdd(photo);
    }
    onBusy(false);
  };
  const remove = (photo: Photo) => {
    setError(null);
    onRemove(photo);
  };
  return (
    <div className={s.picker}>
      {photos.length > 0 && (
        <ul className={s.photos} aria-label="Photos">
          {photos.map((photo, place) => (
            <li key={photo.id} className={s.photo}>
              <img src={photo.url} alt={`${place + 1}`} />
              {!disabled && (
                <IconButton icon="close" floating label={`Remove photo ${place + 1}`} onClick={() => remove(photo)} />
              )}
            </li>
          ))}
        </ul>
      )}
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        multiple
        hidden
        tabIndex={-1}
        aria-label="Photos to add"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = "";
          if (files.length > 0) void add(files);
        }}
      />
      <div>
        <Button
          kind="outline"
          icon="plus"
          disabled={disabled || left === 0}
          busy={busy && "Reading…"}
          aria-describedby={error ? errorId : undefined}
          onClick={() => input.current?.click()}
        >
          {left === PROBLEM_PHOTOS_MAX
            ? "Add photos"
            : left === 0
              ? "You can add up to four photos"
              : "Add another photo"}
        </Button>
      </div>
      {error && (
        <p id={errorId} role="alert" className={s.error}>
          {error}
        </p>
      )}
    </div>
  );
}
