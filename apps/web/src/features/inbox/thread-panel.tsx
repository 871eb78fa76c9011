import { useMarketNow } from "@marketday/client/clock.ts";
import { ApiError } from "@marketday/client/transport.ts";
import type { Thread } from "@marketday/contracts/inbox";
import { Avatar } from "@marketday/ui/avatar.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useEffect, useRef } from "react";
import { Navigate, useParams } from "react-router";

import { useDraft } from "../../lib/drafts.ts";
import { useTitle } from "../../lib/use-title.ts";
import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useShopper } from "../session/api.ts";
import { useInboxActions, useThread } from "./api.ts";
import { Bubbles } from "./bubbles.tsx";
import { InboxGuest } from "./inbox-guest.tsx";
import { ReplyForm } from "./reply-form.tsx";
import { Unsent } from "./unsent.tsx";
import { useOutgoing } from "./use-outgoing.ts";

import s from "./thread-panel.module.css";

/** /inbox/{id}: a conversation over the page it was opened from, with a box to answer (spec §2.4 Inbox). */
export default function ThreadPanel() {
  const { id = "" } = useParams();
  const { isRegistered, isPending } = useShopper();
  const { data: thread, error, refetch } = useThread(id);
  useTitle(thread?.vendor.name ?? "Inbox");
  if (error instanceof ApiError && (error.status === 404 || error.status === 400))
    return <Navigate to={paths.notFound} replace />;
  if (thread) return <Conversation key={thread.id} thread={thread} />;
  return (
    <DialogBody>
      <DialogTitle>Inbox</DialogTitle>
      {error ? (
        <ErrorState message={error.message} onRetry={() => void refetch()} />
      ) : isRegistered || isPending ? (
        <Skeleton label="conversation">
          <SkeletonPart kind="row" width="half" />
          <SkeletonPart kind="row" width="half" />
          <SkeletonPart kind="row" width="half" />
        </Skeleton>
      ) : (
        <InboxGuest />
      )}
    </DialogBody>
  );
}

/** Opening a thread whose last message is the vendor's marks it read (spec §4 Inbox). */
function Conversation({ thread }: { thread: Thread }) {
  const { id, vendor, isRead, messages } = thread;
  const now = useMarketNow();
  const { markRead } = useInboxActions();
  const { text, write, clear } = useDraft(`reply-${id}`);
  const out = useOutgoing(id);
  const end = useRef<HTMLDivElement>(null);
  const marking = useRef(false);
  useEffect(() => {
    if (isRead || marking.current) return;
    marking.current = true;
    // What failed is tried when it is opened the next time.
    void markRead(id)
      .catch(() => undefined)
      .finally(() => (marking.current = false));
    // oxlint-disable-next-line react/exhaustive-deps -- once for each message that makes it unread
  }, [id, isRead]);
  useEffect(() => {
    // Some browsers answer with a promise: nothing may be given back from here.
    end.current?.scrollIntoView({ block: "end" });
  }, [messages.length, out.outgoing]);
  return (
    <DialogBody>
      <div className={s.thread}>
        <div className={s.head}>
          <Avatar id={vendor.id} name={vendor.name} picture={vendor.avatar} size="md" />
          <div>
            <DialogTitle>{vendor.name}</DialogTitle>
            <p className={s.place}>
              {[vendor.city, vendor.state].filter(Boolean).join(", ")} ·{" "}
              <OverlayLink to={paths.vendor(vendor.slug)} className={s.stall}>
                See the stall
              </OverlayLink>
            </p>
          </div>
        </div>
        <Bubbles messages={messages} vendorName={vendor.name} now={now} />
        {out.outgoing && (
          <Unsent
            text={out.outgoing.text}
            isSending={out.isSending}
            error={out.error}
            onAgain={out.again}
            onChange={() => write([out.takeBack(), text].filter(Boolean).join(" "))}
          />
        )}
        <ReplyForm
          vendorName={vendor.name}
          text={text}
          isWaiting={out.outgoing !== null}
          onWrite={write}
          onSend={() => {
            out.send(text.trim());
            clear();
          }}
        />
        <div ref={end} />
      </div>
    </DialogBody>
  );
}
