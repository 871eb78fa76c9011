import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import type { InboxItem, InboxRow } from "@marketday/contracts/admin/inbox";
import type { InboxKind } from "@marketday/domain/inbox-turn";
import { SidePanel } from "@marketday/ui/admin/side-panel.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Banner } from "@marketday/ui/banner.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";

import * as t from "#messages/inbox";

import { paths } from "../../lib/paths.ts";
import { formatTime } from "../day/format.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { isForbidden, isMissing, itemQuery } from "./api.ts";
import { aboutOf, kindName, nameOf, panelTitleId, turnStatus } from "./format.ts";
import { ItemFacts } from "./item-facts.tsx";
import { ItemFoot } from "./item-foot.tsx";
import { Section } from "./section.tsx";

import s from "./inbox.module.css";

interface ItemPanelProps {
  /** Null: the address names no kind. */
  kind: InboxKind | null;
  id: number;
  /** Its row, from which its head is known before it has loaded. */
  row: InboxRow | undefined;
  place: string | undefined;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
  isWhole: boolean;
}

/** One item of the inbox beside the list: what was written, about what, by whom, and what can be done. */
export function ItemPanel({ kind, id, row, ...panel }: ItemPanelProps) {
  const isNamed = kind !== null && Number.isInteger(id) && id > 0;
  const query = useQuery({ ...itemQuery(kind ?? "message", isNamed ? id : 0), enabled: isNamed });
  const { data: item, error, refetch } = query;
  const isGone = !isNamed || (!item && (isMissing(error) || isForbidden(error)));
  const head = item ?? row;
  const status = head && turnStatus(head);
  const key = `${kind ?? ""}/${id}`;
  return (
    <div className={s.panel} data-inbox-panel="">
      <SidePanel
        {...panel}
        label={head ? kindName(head) : t.title}
        link={paths.inboxItem(kind ?? "", id)}
        titleId={panelTitleId(key)}
        title={isGone ? t.gone : head ? nameOf(head) : t.title}
        note={head && <p>{aboutOf(head)}</p>}
        end={
          status &&
          !isGone && (
            <StatusMark shape={status.shape} pill>
              {status.word}
            </StatusMark>
          )
        }
        side={item && <ItemFacts item={item} />}
        foot={item && !panel.isWhole && <ItemFoot key={key} item={item} />}
      >
        {item ? (
          <>
            <StaleNote query={query} zone={item.hub?.timeZone ?? "UTC"} />
            <Conversation item={item} />
            <Photos item={item} />
            <Fields item={item} />
            {/* On a small screen it is read first, and what is typed does not cover it. */}
            {panel.isWhole && (
              <div className={s.inline}>
                <ItemFoot key={key} item={item} />
              </div>
            )}
          </>
        ) : isGone ? (
          <p>{t.goneHelp}</p>
        ) : error ? (
          <ErrorState message={t.failedItem} onRetry={() => void refetch()}>
            {messageOf(error)}
          </ErrorState>
        ) : (
          <Skeleton label={t.loadingItem}>
            <SkeletonPart kind="title" width="third" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
          </Skeleton>
        )}
      </SidePanel>
    </div>
  );
}

function Conversation({ item }: { item: InboxItem }) {
  const now = useMarketNow();
  const { conversation, hidden, answerHidden, rating, vendor, hub } = item;
  const byline = ({ from, by }: InboxItem["conversation"][number]): string =>
    from === "sender"
      ? nameOf(item)
      : from === "vendor"
        ? (vendor?.name ?? t.vendor)
        : by === null
          ? t.market
          : t.marketBy(by);
  return (
    <Section id="inbox-conversation" title={t.conversation}>
      {hidden && (
        <Banner tone="information" compact>
          {t.hiddenNote(hidden.by, hidden.reason)}
        </Banner>
      )}
      {answerHidden && (
        <Banner tone="information" compact>
          {t.hiddenAnswerNote(answerHidden.by, answerHidden.reason)}
        </Banner>
      )}
      {rating !== null && <p className={s.rating}>{t.stars(rating)}</p>}
      <ol className={s.conversation}>
        {conversation.map((each, place) => (
          // Words have no id.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${each.at} ${place}`} data-from={each.from}>
            <p className={s.byline}>
              <b>{byline(each)}</b>
              <small>{formatTime(each.at, hub?.timeZone ?? "UTC", now)}</small>
            </p>
            <p className={s.text}>{each.text || t.noWords}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Photos({ item: { photos } }: { item: InboxItem }) {
  if (photos.length === 0) return null;
  return (
    <Section id="inbox-photos" title={t.photos}>
      <ul className={s.photos}>
        {photos.map(({ id, url }, place) => (
          <li key={id}>
            <a href={url} target="_blank" rel="noreferrer" title={t.photoLarge}>
              <img src={url} alt={t.photo(place + 1, photos.length)} loading="lazy" decoding="async" />
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Fields({ item: { fields } }: { item: InboxItem }) {
  const shown = fields.filter(({ name }) => name !== "message");
  if (shown.length === 0) return null;
  return (
    <Section id="inbox-fields" title={t.fields}>
      <dl className={s.facts}>
        {shown.map(({ name, value }) => (
          <div key={name}>
            <dt>{t.fieldNames[name] ?? name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
