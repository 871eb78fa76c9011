import { INBOX_KINDS } from "@marketday/domain/inbox-turn";
import { z } from "zod";

/** What an action that answers gets when it is done. */
export const HeldReply = z.object({
  kind: z.enum(INBOX_KINDS),
  id: z.number(),
  /** Missing once the account of who reads it was deleted: the item is gone too. */
  text: z.string().default(""),
  /** `version` of what is answered. */
  version: z.string(),
});
