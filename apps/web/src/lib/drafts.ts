import { createDrafts } from "@marketday/client/forms/drafts.ts";

import { shopStorage } from "./storage.ts";

/** The shop's forms that are being filled in. */
export const { useDraft, useFormDraft, forgetDraft } = createDrafts(shopStorage);
