import { createDrafts } from "@marketday/client/forms/drafts.ts";

import { adminStorage } from "./storage.ts";

/** The forms of the admin app that are being filled in: a reload or an ended session loses nothing that was typed. */
export const { useDraft, useFormDraft } = createDrafts(adminStorage);
