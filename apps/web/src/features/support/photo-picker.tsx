import { PROBLEM_PHOTOS_MAX } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { useId, useRef, useState } from "react";

import { cannotOpen, shrink, tooLargeToOpen } from "./shrink.ts";
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
  const [errors, setErrors] = useState<readonly string[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const left = PROBLEM_PHOTOS_MAX - photos.length;

  const add = async (files: File[]) => {
    onBusy(true);
    setErrors([]);
    const found = files.length > left ? [`At most ${PROBLEM_PHOTOS_MAX} photos`] : [];
    for (const file of files.slice(0, left)) {
      const tooLarge = tooLargeToOpen(file);
      const photo = tooLarge ?? (await shrink(file).catch(() => cannotOpen(file)));
      if (typeof photo === "string") found.push(photo);
      else await onAdd(photo);
    }
    setErrors(found);
    onBusy(false);
  };
  const remove = (photo: Photo) => {
    setErrors([]);
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
          aria-describedby={errors.length > 0 ? errorId : undefined}
          onClick={() => input.current?.click()}
        >
          {left === PROBLEM_PHOTOS_MAX
            ? "Add photos"
            : left === 0
              ? "You can add up to four photos"
              : "Add another photo"}
        </Button>
      </div>
      {errors.length > 0 && (
        <div id={errorId} role="alert" className={s.error}>
          {errors.map((error, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- the same sentence may come twice, and all are replaced at once
            <p key={place}>{error}</p>
          ))}
        </div>
      )}
    </div>
  );
}
