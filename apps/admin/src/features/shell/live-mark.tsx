import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";

import * as t from "#messages/shell";

import { useLive } from "../../lib/live.ts";

const shown = {
  live: { shape: "done", words: t.live },
  reconnecting: { shape: "now", words: t.reconnecting },
  offline: { shape: "off", words: t.offline },
} as const;

/** Whether the screen follows the server. */
export function LiveMark() {
  const { shape, words } = shown[useLive().status];
  return <StatusMark shape={shape}>{words}</StatusMark>;
}
