import { INBOX_KINDS } from "@marketday/domain/inbox-turn";
import { z } from "zod";

/** What an action that answers gets when it is done. */
export const HeldReply = z.object({
  kind: z.enum(INBOX_KINDS),
  id: z.number(),
  text: z.string(),
  /** `version` of what is answered. */
  version: z.string(),
});
