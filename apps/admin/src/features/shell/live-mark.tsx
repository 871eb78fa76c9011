import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";

import * as t from "#messages/shell";

import { useLive } from "../../lib/live.ts";

import s from "./live-mark.module.css";

const shown = {
  live: { shape: "done", words: t.live },
  reconnecting: { shape: "now", words: t.reconnecting },
  offline: { shape: "off", words: t.offline },
} as const;

/** Whether the screen follows the server. On a phone only when it does not. */
export function LiveMark() {
  const { status } = useLive();
  if (status === "connecting") return null;
  const { shape, words } = shown[status];
  return (
    <span className={s.mark} data-status={status}>
      <StatusMark shape={shape}>{words}</StatusMark>
    </span>
  );
}
