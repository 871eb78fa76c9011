import { useMarketNow } from "@marketday/client/clock.ts";
import { pageAddress, usePageNumber } from "@marketday/client/page-number.ts";
import type { ThreadSummary } from "@marketday/contracts/inbox";
import { preview } from "@marketday/domain/inbox";
import { INBOX_ROWS } from "@marketday/domain/limits";
import { pageCount } from "@marketday/domain/paging";
import { Avatar } from "@marketday/ui/avatar.tsx";
import { ButtonLink } from "@marketday/ui/button.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Pagination } from "@marketday/ui/pagination.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

import { useTitle } from "../../lib/use-title.ts";
import { OverlayLink, useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useShopper } from "../session/api.ts";
import { ago } from "../shop/ago.ts";
import { useThreads } from "./api.ts";
import { InboxGuest } from "./inbox-guest.tsx";

import s from "./inbox-page.module.css";

/** /inbox: what a customer and the stalls wrote each other, 5 threads a page (spec §2.1, §2.4 Inbox). */
export default function InboxPage() {
  useTitle("Inbox");
  const page = usePageNumber();
  const { isRegistered, isPending } = useShopper();
  return (
    <div className={s.page}>
      <h1>Inbox</h1>
      {isRegistered || isPending ? <Threads page={page} /> : <InboxGuest />}
    </div>
  );
}

function Threads({ page }: { page: number }) {
  const { navigate } = useNavigation();
  const now = useMarketNow();
  const { data, error, refetch } = useThreads(page);
  if (!data)
    return error ? (
      <ErrorState message={error.message} onRetry={() => void refetch()} />
    ) : (
      <Skeleton label="conversations">
        {Array.from({ length: INBOX_ROWS }, (_, place) => (
          <SkeletonPart key={place} kind="row" />
        ))}
      </Skeleton>
    );
  const href = (number: number) => pageAddress(paths.inbox, number);
  const pages = pageCount(data.paging.total, INBOX_ROWS);
  if (data.paging.total === 0)
    return (
      <EmptyState
        icon="mail"
        title="No messages yet"
        action={<ButtonLink to={paths.vendors}>Browse the stalls</ButtonLink>}
      >
        When you message a stall, its answers show up here.
      </EmptyState>
    );
  return (
    <>
      {data.rows.length === 0 ? (
        <EmptyState
          icon="mail"
          title="This page is empty"
          action={<ButtonLink to={paths.inbox}>Go to the first page</ButtonLink>}
        />
      ) : (
        <ul className={s.threads} aria-label="Conversations">
          {data.rows.map((thread) => (
            <li key={thread.id}>
              <ThreadRow thread={thread} now={now} />
            </li>
          ))}
        </ul>
      )}
      <Pagination
        label="Pages of your inbox"
        page={page}
        pages={pages}
        href={href}
        onSelect={(number) => void navigate(href(number))}
      />
    </>
  );
}

function ThreadRow({ thread: { id, vendor, isRead, lastMessage }, now }: { thread: ThreadSummary; now: Date }) {
  return (
    <article className={s.row} data-unread={isRead ? undefined : ""}>
      <Avatar id={vendor.id} name={vendor.name} picture={vendor.avatar} size="md" />
      <div className={s.words}>
        <h2 className={s.name}>
          <OverlayLink to={paths.thread(id)} className={s.link}>
            {vendor.name}
          </OverlayLink>
          {!isRead && <VisuallyHidden> (unread)</VisuallyHidden>}
        </h2>
        {lastMessage && (
          <p className={s.preview}>
            {lastMessage.sender === "C" && <span className={s.you}>You: </span>}
            {preview(lastMessage.message)}
          </p>
        )}
      </div>
      <p className={s.when}>
        {lastMessage && ago(lastMessage.created, now)}
        {!isRead && <span className={s.dot} aria-hidden="true" />}
      </p>
    </article>
  );
}
