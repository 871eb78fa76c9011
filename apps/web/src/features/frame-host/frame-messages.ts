import { type FrameMessage, readFrameMessage } from "@marketday/contracts/frame";

/** How many messages were not for us: another origin, another window, or nothing a frame of ours says (failures H9-H11). */
let ignored = 0;
export const ignoredFrameMessages = (): number => ignored;

interface FrameWindow {
  /** Our own origin: the frame is a page of ours. */
  origin: string;
  /** The iframe's window, once it is there. */
  source: () => unknown;
}

/** The message of a `message` event from our frame; null from any other source. */
export function hearFrame(
  event: Pick<MessageEvent, "origin" | "source" | "data">,
  { origin, source }: FrameWindow,
): FrameMessage | null {
  const frame = source();
  const message = event.origin === origin && frame && event.source === frame ? readFrameMessage(event.data) : null;
  if (!message) ignored += 1;
  return message;
}
