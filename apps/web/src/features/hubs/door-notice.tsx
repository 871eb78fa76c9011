import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { flushSync } from "react-dom";

import { homeDeliveryQuery } from "./home-delivery.ts";

/** Chooses pickup. The notice goes with its button: the focus moves on to the points, the last group of the form. */
function pickUp(button: HTMLElement, choose: () => void): void {
  const form = button.closest("form");
  flushSync(choose);
  [...(form?.querySelectorAll("fieldset") ?? [])].at(-1)?.querySelector("input")?.focus();
}

interface DoorNoticeProps {
  zipCode: string;
  /** Chooses pickup instead; left out where there is no choice, or no pickup point. */
  onPickup?: (() => void) | undefined;
}

/** As soon as a ZIP code is whole: that the market does not deliver there, and what it offers instead. */
export default function DoorNotice({ zipCode, onPickup }: DoorNoticeProps) {
  const { data } = useQuery(homeDeliveryQuery(zipCode));
  return (
    <div role="status">
      {data?.isPossible === false && (
        <Banner
          tone="information"
          title="No home delivery there"
          action={
            onPickup && (
              <Button kind="link" onClick={({ currentTarget }) => pickUp(currentTarget, onPickup)}>
                Pick up instead
              </Button>
            )
          }
        >
          {data.note}
        </Banner>
      )}
    </div>
  );
}
