import { useMedia } from "@marketday/client/use-media.ts";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { useQuery } from "@tanstack/react-query";
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useLocation, useNavigate, useParams } from "react-router";

import * as t from "#messages/shorts";

import { paths } from "../../lib/paths.ts";
import { DayHead } from "../day/day-head.tsx";
import { NoDay } from "../day/no-day.tsx";
import { useHubFilter } from "../shell/hub-filter.ts";
import { useShortcuts } from "../shell/shortcuts.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { AddField, type Picked } from "./add-field.tsx";
import { findItems } from "./add-text.ts";
import { type DayItem, type DayShorts, findOpen, shortsQuery } from "./api.ts";
import { SETTLE_ID } from "./count-editor.tsx";
import { CAME_ID, TITLE_ID } from "./detail-head.tsx";
import { groupEntries, unsettledOf } from "./list-entries.ts";
import { SETTLE_ALL_ID, SettleAll } from "./settle-all.tsx";
import { ShortDetail } from "./short-detail.tsx";
import { rowId, ShortList } from "./short-list.tsx";
import { useDrafts } from "./use-drafts.ts";
import { useShortWrites } from "./use-short-writes.ts";

import s from "./shorts-page.module.css";

/** The shortages of a delivery day: "9 of 12" becomes shares, credits and mails by one button. */
export default function ShortsPage() {
  const { hub = "", date = "" } = useParams();
  const query = useQuery(shortsQuery(hub, date));
  const { data: day, error, refetch } = query;
  if (day)
    return (
      <>
        <StaleNote query={query} zone={day.hub.timeZone} />
        {/* What is typed belongs to one day. */}
        <Shorts key={`${hub} ${date}`} day={day} hub={hub} />
      </>
    );
  return (
    <NoDay
      view="shorts"
      hub={hub}
      date={date}
      error={error}
      onRetry={() => void refetch()}
      words={{ loading: t.loading, notAllowed: t.notAllowed, notAllowedHelp: t.notAllowedHelp }}
    />
  );
}

/** Where the focus goes once an item (null: the list) is shown: its number, its button, or the button of all. */
interface FocusTarget {
  variantId: number | null;
  on: "came" | "settle" | "all";
}

/** A key that is held does once what it does: the focus may have gone to another button since. */
function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !event.repeat) return;
  event.preventDefault();
  event.stopPropagation();
}

function Shorts({ day, hub }: { day: DayShorts; hub: string }) {
  const { variantId: param } = useParams();
  const navigate = useNavigate();
  const { to } = useHubFilter();
  const isWide = useMedia("(min-width: 768px)");
  const drafts = useDrafts(day.hub.slug, day.day);
  const writes = useShortWrites(day, drafts);
  const groups = groupEntries(day, drafts.byItem);
  const unsettled = unsettledOf(groups.toSettle);
  const entries = [...groups.toSettle, ...groups.held, ...groups.settled];
  // What was typed for an item that left the day can no longer be counted, and has no row in which to discard it.
  const goneId = Object.keys(drafts.byItem).find(
    (id) => ![...day.items, ...day.shortages].some(({ variantId }) => String(variantId) === id),
  );
  const dropDraft = useEffectEvent(drafts.discard);
  useEffect(() => {
    if (goneId !== undefined) dropDraft(Number(goneId));
  }, [goneId]);
  const field = useRef<HTMLInputElement>(null);
  const isEmpty = entries.length === 0;
  // "listing": its items are listed before anything is typed.
  const [add, setAdd] = useState<"closed" | "listing" | "open">(isEmpty && isWide ? "listing" : "closed");
  /** What Add begins with. */
  const [named, setNamed] = useState("");
  const [recountId, setRecountId] = useState<number | null>(null);
  const [focusOn, setFocusOn] = useState<FocusTarget | null>(null);

  const openId = param === undefined ? null : Number(param);
  const isDetail = openId !== null;
  const item = day.items.find(({ variantId }) => variantId === openId);
  const shortage =
    openId === null
      ? undefined
      : (findOpen(day, openId) ?? day.shortages.find(({ variantId }) => variantId === openId));
  const go = (variantId?: number, replace = false) =>
    void navigate(to(paths.shorts(hub, day.day, variantId)), { replace });

  // Where there is room for both, the first one to settle is open.
  const firstId = groups.toSettle[0]?.variantId;
  const openFirst = useEffectEvent(() => {
    if (firstId !== undefined) go(firstId, true);
  });
  useEffect(() => {
    if (isWide && !isDetail) openFirst();
  }, [isWide, isDetail]);

  useEffect(() => {
    if (focusOn?.variantId !== openId) return;
    const ids = { came: [CAME_ID], settle: [SETTLE_ID, CAME_ID], all: [SETTLE_ALL_ID, ADD_ID] }[focusOn.on];
    const found = [...ids, TITLE_ID].map((id) => document.getElementById(id)).find((element) => element !== null);
    found?.focus();
    setFocusOn(null);
  }, [focusOn, openId]);
  // An item that is opened otherwise, by its row, J or K: its name has the focus.
  const shownId = useRef(openId);
  const isAimed = focusOn !== null;
  useEffect(() => {
    if (shownId.current === openId) return;
    const isFirst = shownId.current === null && isWide;
    const left = shownId.current;
    shownId.current = openId;
    if (isAimed) return;
    if (openId === null) {
      if (left !== null) document.getElementById(rowId(left))?.focus();
      return;
    }
    if (!isWide) scrollTo(0, 0);
    // The first one that is open opens without the person's doing.
    if (!isFirst) document.getElementById(TITLE_ID)?.focus();
  }, [openId, isAimed, isWide]);

  const openAdd = () => {
    if (!isWide && isDetail) go();
    setAdd("listing");
    field.current?.focus();
  };
  const closeAdd = () => {
    setAdd("closed");
    setNamed("");
    document.getElementById(ADD_ID)?.focus();
  };
  const pick = (picked: DayItem, came: number | null, replace = false) => {
    const open = findOpen(day, picked.variantId);
    if (came !== null && open?.state !== "held") drafts.change(picked.variantId, open, { came: String(came) });
    const isSettled = !open && day.shortages.some(({ variantId }) => variantId === picked.variantId);
    setRecountId(isSettled ? picked.variantId : null);
    setAdd("closed");
    setNamed("");
    go(picked.variantId, replace);
    setFocusOn({ variantId: picked.variantId, on: came === null ? "came" : "settle" });
  };
  const pickAll = (picked: readonly Picked[]) => {
    for (const { item: one, came } of picked) {
      const open = findOpen(day, one.variantId);
      if (open?.state !== "held") drafts.change(one.variantId, open, { came: String(came) });
    }
    setAdd("closed");
    setNamed("");
    const first = isWide ? (picked[0]?.item.variantId ?? null) : null;
    if (first !== null) go(first);
    setFocusOn({ variantId: first, on: "all" });
  };
  // What was named elsewhere: "?find=eggs+cluck&came=9", or an item's own address with the number.
  const { search } = useLocation();
  const pickNamed = useEffectEvent((query: string) => {
    const params = new URLSearchParams(query);
    const [words, number] = [params.get("find"), params.get("came")];
    if (words === null && number === null) return;
    const found = words === null ? (item ? [item] : []) : findItems(day.items, words);
    const [only] = found;
    if (only && found.length === 1)
      pick(only, number !== null && /^\d{1,6}$/.test(number) ? Number(number) : null, true);
    else {
      go(undefined, true);
      setNamed([words, number].filter(Boolean).join(" "));
      setAdd("listing");
    }
  });
  useEffect(() => pickNamed(search), [search]);
  const walk = (by: number) => {
    const ids = entries.filter(({ opens }) => opens).map(({ variantId }) => variantId);
    const at = openId === null ? -1 : ids.indexOf(openId);
    const next = ids[Math.max(0, Math.min(ids.length - 1, at + by))];
    if (next !== undefined) go(next, true);
  };
  const leave = () => {
    if (openId === null) return;
    if (isWide) (document.getElementById(rowId(openId)) ?? document.getElementById(ADD_ID))?.focus();
    else go();
  };
  useShortcuts([
    { keys: "a", label: t.keyAdd, run: openAdd },
    { keys: "j", label: t.keyNext, run: () => walk(1) },
    { keys: "k", label: t.keyPrevious, run: () => walk(-1) },
    { keys: "Escape", label: t.keyBack, run: leave },
  ]);

  // An answer may come when the person is elsewhere: what they type there stays theirs.
  const currentId = useRef(openId);
  useLayoutEffect(() => {
    currentId.current = openId;
  });
  const onSettled = (variantId: number) => {
    setRecountId((before) => (before === variantId ? null : before));
    if (currentId.current !== variantId || document.activeElement === field.current) return;
    // Ready for the next one, where its field is beside the item.
    if (isWide) {
      setAdd("open");
      if (isFree(SETTLE_ID)) field.current?.focus();
    } else document.getElementById(TITLE_ID)?.focus();
  };
  const [failedIds, setFailedIds] = useState<readonly number[]>([]);
  const onAllDone = (failed: readonly number[]) => {
    setFailedIds(failed);
    if (failed.length === 0 && isFree(SETTLE_ALL_ID)) {
      setAdd("open");
      field.current?.focus();
    }
  };
  const failedCount = failedIds.filter((id) => writes.failures[id] && findOpen(day, id)?.state !== "held").length;

  const addButton = (
    <Compact>
      <Button id={ADD_ID} kind="outline" icon="plus" aria-expanded={add !== "closed"} onClick={openAdd}>
        {t.add}
      </Button>
    </Compact>
  );
  const detail =
    openId === null ? null : item ? (
      <ShortDetail
        key={openId}
        day={day}
        item={item}
        shortage={shortage}
        draft={drafts.byItem[openId]}
        isRecount={recountId === openId}
        onRecount={() => {
          setRecountId(openId);
          setFocusOn({ variantId: openId, on: "came" });
        }}
        drafts={drafts}
        writes={writes}
        onSettled={() => onSettled(openId)}
        onLeave={leave}
        back={
          !isWide && (
            <Link to={to(paths.shorts(hub, day.day))} className={s.back}>
              <Icon name="back" size="sm" />
              {t.back}
            </Link>
          )
        }
      />
    ) : (
      <Nothing title={t.noItem} note={t.noItemHelp} />
    );
  const left = (
    <div className={s.list}>
      <div className={s.bar}>
        <p>{unsettled.length > 0 ? t.toSettleCount(unsettled.length) : t.noneToSettle}</p>
        {day.items.length > 0 && addButton}
      </div>
      {add !== "closed" && day.items.length > 0 && (
        <AddField
          key={named}
          initialText={named}
          items={day.items}
          listsAll={add === "listing"}
          field={field}
          onPick={pick}
          onPickAll={pickAll}
          onClose={closeAdd}
        />
      )}
      {day.items.length === 0 ? (
        <Nothing title={t.noOrders} note={t.noOrdersHelp} />
      ) : isEmpty ? (
        <Nothing
          title={day.isFrozen ? t.everythingCame : t.nothingSoFar}
          note={day.isFrozen ? t.everythingCameHelp : t.nothingSoFarHelp}
        />
      ) : (
        <>
          {failedCount > 0 && (
            <p className={s.failure} role="alert">
              {t.notAll(failedCount)}
            </p>
          )}
          <ShortList
            day={day}
            hub={hub}
            groups={groups}
            openId={openId}
            failures={writes.failures}
            afterToSettle={
              day.isFrozen &&
              unsettled.length > 1 && (
                <SettleAll day={day} entries={unsettled} drafts={drafts} writes={writes} onDone={onAllDone} />
              )
            }
          />
        </>
      )}
    </div>
  );
  return (
    <div className={s.page} onKeyDownCapture={ignoreHeldEnter}>
      <DayHead view="shorts" hub={hub} date={day.day} />
      {isWide ? (
        <div className={s.columns}>
          {left}
          <div className={s.right}>{detail ?? <Nothing title={t.chooseOne} />}</div>
        </div>
      ) : (
        (detail ?? left)
      )}
    </div>
  );
}

const ADD_ID = "short-add";

/** The person has not gone elsewhere since they pressed a button. */
function isFree(buttonId: string): boolean {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.id === buttonId;
}

const Nothing = ({ title, note }: { title: string; note?: ReactNode }) => (
  <div className={s.nothing}>
    <p>
      <b>{title}</b>
    </p>
    {note && <p>{note}</p>}
  </div>
);
