import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import { SidePanel } from "@marketday/ui/admin/side-panel.tsx";
import { type ReactNode, Suspense, useEffect, useLayoutEffect } from "react";
import { ErrorBoundary } from "react-error-boundary";

import * as t from "#messages/orders";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { paths } from "../../lib/paths.ts";
import { PartFailed, partBones } from "../shell/late-dialog.tsx";
import { nameOf } from "./format.ts";
import type { OrderPanelProps } from "./order-panel.tsx";
import { panelTitleId } from "./panel-title.ts";

import s from "./orders.module.css";

const OrderPanel = lazyWithRetry(() => import("./order-panel.tsx"));

/** For a list of orders: the code of the panel is loaded after the list. */
export function usePanelCode(): void {
  useEffect(() => void OrderPanel.load(), []);
}

/** An order beside its list; until the code of the panel is there, its frame. */
export function LateOrderPanel(props: OrderPanelProps) {
  return (
    <ErrorBoundary
      resetKeys={[props.id]}
      fallback={
        <Frame {...props}>
          <PartFailed />
        </Frame>
      }
    >
      <Suspense fallback={<Frame {...props}>{partBones}</Frame>}>
        <OrderPanel {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

function Frame({ id, box, children, ...panel }: OrderPanelProps & { children: ReactNode }) {
  const titleId = panelTitleId(id);
  useLayoutEffect(
    () => () => {
      // The title of the panel that replaces it has the same id.
      if (document.activeElement?.id === titleId)
        queueMicrotask(() => document.getElementById(titleId)?.focus({ preventScroll: true }));
    },
    [titleId],
  );
  return (
    <div className={s.panel} data-order-panel="">
      <SidePanel
        {...panel}
        label={t.orderNumber(/^\d{1,9}$/.test(id) ? formatOrderNumber(Number(id)) : id)}
        link={paths.order(id)}
        titleId={titleId}
        title={box ? nameOf(box.name) : t.orderTitle}
      >
        {children}
      </SidePanel>
    </div>
  );
}
