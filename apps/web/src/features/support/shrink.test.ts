import { PHOTO_FILE_BYTES_MAX } from "@marketday/domain/limits";
import { expect, test } from "vitest";

import { cannotOpen, tooLargeToOpen } from "./shrink.ts";

test("a photo's file: refused above the limit, with its size and the limit", { tags: ["fail:N14"] }, () => {
  expect(tooLargeToOpen({ name: "eggs.jpg", size: PHOTO_FILE_BYTES_MAX })).toBeNull();
  expect(tooLargeToOpen({ name: "eggs.jpg", size: 200 * 1024 * 1024 })).toBe(
    "eggs.jpg is too large (200 MB). Choose a photo of up to 50 MB.",
  );
});

test.each([
  ["IMG_0042.HEIC", ""],
  ["IMG_0042.heif", ""],
  ["photo", "image/heic"],
  ["photo", "image/heif-sequence"],
])("a photo that can't be opened, %s of type '%s': the sentence names JPEG", { tags: ["fail:N14"] }, (name, type) => {
  expect(cannotOpen({ name, type })).toBe(
    `${name} is a HEIC photo, which this browser can't open. Save it as JPEG and add it again.`,
  );
});

test("another file that can't be opened is no image", () => {
  expect(cannotOpen({ name: "words.jpg", type: "image/jpeg" })).toBe("words.jpg isn't an image this browser can open");
});
