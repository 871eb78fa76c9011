import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";

import * as t from "#messages/door";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { useMe } from "../session/api.ts";
import { formatBox, formatName } from "./format.ts";
import type { Changed } from "./use-ticks.ts";

import s from "./door.module.css";

/** The first ones are named; the list shows the others. */
const NAMED = 4;

/** Boxes that lost their tick or have another amount since the person ticked them, and why, until they have seen it. */
export function ChangedNote({ changed, onSeen }: { changed: readonly Changed[]; onSeen: () => void }) {
  const me = useMe();
  const gone = changed.filter(({ was }) => was === null).length;
  const reasonOf = ({ orderId, box, was }: Changed): string => {
    if (box && was !== null) return t.otherAmount(formatBox(box), formatName(box), box.amount, was);
    if (!box) return t.goneUnlisted(t.order(formatOrderNumber(orderId)));
    if (box.paidBy === null) return t.gonePaidByCommand(formatBox(box), formatName(box));
    return t.gonePaid(formatBox(box), formatName(box), box.paidBy === me.name ? t.you : box.paidBy);
  };
  return (
    <div className={s.gone} role="status">
      <Icon name="person" size="sm" />
      <div className={s.goneWords}>
        <b>{t.changedTitle(gone, changed.length - gone)}</b>
        <ul>
          {changed.slice(0, NAMED).map((each) => (
            <li key={each.orderId}>{reasonOf(each)}</li>
          ))}
          {changed.length > NAMED && <li>{t.andMore(changed.length - NAMED)}</li>}
        </ul>
      </div>
      <Compact size="sm">
        <Button kind="outline" onClick={onSeen}>
          {t.ok}
        </Button>
      </Compact>
    </div>
  );
}
