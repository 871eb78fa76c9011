import { useMarketNow } from "@marketday/client/clock.ts";
import type { DaySheets } from "@marketday/contracts/admin/days";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { VendorMark } from "@marketday/ui/admin/vendor-mark.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { useId, useState } from "react";

import * as t from "#messages/day";

import { useCan } from "../session/api.ts";
import type { ArrivalChange } from "./api.ts";
import { formatClockOn, formatTime } from "./format.ts";
import { moveFocus } from "./move-focus.ts";
import type { Vendor } from "./use-arrivals.ts";
import { VendorItems } from "./vendor-items.tsx";

import s from "./vendors.module.css";

interface VendorRowProps {
  day: DaySheets;
  /** As it will be when what is on its way has been done. */
  vendor: Vendor;
  /** What the button at the end sets; null: the day takes neither. */
  control: "arrived" | "confirmed" | null;
  isPending: boolean;
  /** Why the last change was not made. */
  problem: string | null;
  onSet: (change: ArrivalChange) => void;
}

/** A vendor of the day: what is known, a button that sets it, and on request who set it, and each item with a way to Shorts. */
export function VendorRow({ day, vendor, control, isPending, problem, onSet }: VendorRowProps) {
  const now = useMarketNow();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const mayAdjust = useCan("orders.adjust", day.hub.id);
  const { name, confirmed, arrived, items, units } = vendor;
  const time = (at: string) => formatTime(at, day.hub.timeZone, now);
  return (
    <li className={s.row} data-here={arrived ? "" : undefined}>
      <button
        type="button"
        className={s.name}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        data-control="details"
        onKeyDown={moveFocus}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={s.turn} data-open={isOpen ? "" : undefined}>
          <Icon name="next" size="sm" />
        </span>
        <VendorMark id={vendor.id} name={name} />
      </button>
      <p className={s.brings}>{t.bringing(items, units)}</p>
      <div className={s.state}>
        <State vendor={vendor} zone={day.hub.timeZone} now={now} />
      </div>
      {control && (
        <div className={s.control}>
          <Compact size="sm">
            <ToggleButton
              isOn={vendor[control] !== null}
              isPending={isPending}
              label={control === "arrived" ? t.isHere(name) : t.hasConfirmed(name)}
              onToggle={(isOn) => onSet(control === "arrived" ? { hasArrived: isOn } : { isConfirmed: isOn })}
            >
              {control === "arrived" ? t.here : t.confirm}
            </ToggleButton>
          </Compact>
        </div>
      )}
      {problem !== null && (
        <p className={s.problem} role="alert">
          {problem}
        </p>
      )}
      {isOpen && (
        <div id={id} className={s.details}>
          {control === "arrived" && (
            <Compact>
              <Checkbox
                checked={confirmed !== null}
                onChange={({ currentTarget: { checked } }) => onSet({ isConfirmed: checked })}
              >
                {t.everythingComes}
              </Checkbox>
            </Compact>
          )}
          {confirmed && <p>{t.confirmedBy(time(confirmed.at), confirmed.by)}</p>}
          {arrived && <p>{t.checkedInBy(time(arrived.at), arrived.by)}</p>}
          {mayAdjust && <VendorItems hub={day.hub.slug} date={day.day} vendor={vendor} />}
        </div>
      )}
    </li>
  );
}

function State({ vendor, zone, now }: { vendor: Vendor; zone: string; now: Date }) {
  const { confirmed, arrived, shorts, shortsToSettle } = vendor;
  const here = arrived && t.hereSince(formatClockOn(arrived.at, zone, now));
  if (shorts > 0)
    return (
      <>
        {shortsToSettle > 0 ? (
          <StatusMark shape="due">{t.short(shorts)}</StatusMark>
        ) : (
          <StatusMark shape="ok">{t.shortSettled(shorts)}</StatusMark>
        )}
        <span className={s.stateNote}>{here ?? (confirmed ? t.vendorConfirmed : t.notConfirmed)}</span>
      </>
    );
  if (here !== null) return <StatusMark shape="done">{here}</StatusMark>;
  return confirmed ? (
    <StatusMark shape="ok">{t.vendorConfirmed}</StatusMark>
  ) : (
    <StatusMark shape="ahead" quiet>
      {t.notConfirmed}
    </StatusMark>
  );
}

interface ToggleButtonProps {
  isOn: boolean;
  isPending: boolean;
  label: string;
  onToggle: (isOn: boolean) => void;
  children: string;
}

/** Pressed when it is so. While a change is on its way it shows that change. */
const ToggleButton = ({ isOn, isPending, label, onToggle, children }: ToggleButtonProps) => (
  <Button
    kind={isOn ? "quiet" : "outline"}
    {...(isOn && { icon: "check" as const })}
    aria-pressed={isOn}
    aria-label={label}
    aria-busy={isPending || undefined}
    data-control="set"
    onKeyDown={moveFocus}
    onClick={() => onToggle(!isOn)}
  >
    {children}
  </Button>
);
