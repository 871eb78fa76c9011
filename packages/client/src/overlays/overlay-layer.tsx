import { Dialog } from "@marketday/ui/dialog.tsx";
import { type ComponentProps, type ComponentType, type ReactNode, Suspense, useDeferredValue } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";

import type { OverlayEntry } from "./overlay-stack.ts";
import { ActiveOverlay } from "./titles.tsx";

/** React's key of a layer: it is the same as long as it is the same thing at the same height. Its query may change. */
export const layerKey = ({ location, modal }: OverlayEntry, height: number): string =>
  `${height}${location ? location.pathname : modal.kind}`;

interface OverlayLayerProps extends ComponentProps<typeof Dialog> {
  /** It names the document. */
  front?: boolean;
  /** With the content in its first frame. Decided when it opens. */
  atOnce: boolean;
  /** In the frame while code and data are on their way. */
  waiting: ReactNode;
  /** In the frame of a layer that failed; the page behind is untouched. */
  FailedComponent: ComponentType<FallbackProps>;
}

/** One layer above the page: its frame at once, its content drawn bit by bit once the frame is on screen. */
export const OverlayLayer = ({
  front = false,
  atOnce,
  waiting,
  FailedComponent,
  children,
  ...dialog
}: OverlayLayerProps) => (
  <Dialog {...dialog}>
    <ActiveOverlay value={front}>
      <AfterFrame atOnce={atOnce} waiting={waiting}>
        <ErrorBoundary FallbackComponent={FailedComponent}>
          <Suspense fallback={waiting}>{children}</Suspense>
        </ErrorBoundary>
      </AfterFrame>
    </ActiveOverlay>
  </Dialog>
);

function AfterFrame({ atOnce, waiting, children }: { atOnce: boolean; waiting: ReactNode; children: ReactNode }) {
  const isFramed = useDeferredValue(true, atOnce);
  return isFramed ? children : waiting;
}
