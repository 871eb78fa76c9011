import { useChunkRetry } from "@marketday/client/chunk-retry.ts";
import { wordsForLoad } from "@marketday/client/lazy-with-retry.tsx";
import { useOnline } from "@marketday/client/use-online.ts";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { type ReactNode, Suspense, useDeferredValue, useState } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";
import { type Location, Route, Routes } from "react-router";

import { ActiveOverlay } from "../lib/use-title.tsx";
import type { Modal, OverlayEntry } from "../navigation/overlay-stack.ts";
import { useNavigation } from "../navigation/use-navigation.tsx";
import { modals } from "./modals.tsx";
import { findOverlay } from "./routes.tsx";

interface OverlaysProps {
  stack: OverlayEntry[];
  /** The one that names the document. */
  named: OverlayEntry | undefined;
  hasMarket: boolean;
}

/** Everything above the page, bottom first. */
export function Overlays({ stack, named, hasMarket }: OverlaysProps) {
  const { close } = useNavigation();
  return stack.map((layer, height) => {
    const { location, modal, opener } = layer;
    // A layer is the same as long as it is the same thing at the same height: its query may change.
    const key = `${height}${location ? location.pathname : modal.kind}`;
    if (location) return <OverlayHost key={key} location={location} opener={opener} front={layer === named} />;
    // The Welcome modal has a close button for guests only (spec §2.4): without a market there is nothing behind it.
    const dismiss = modal.kind !== "welcome" || hasMarket ? { onClose: close } : {};
    return <ModalHost key={key} modal={modal} opener={opener} onDone={close} {...dismiss} />;
  });
}

interface OverlayHostProps {
  location: Location;
  /** It names the document. */
  front: boolean;
  /** Id of what opened it. */
  opener: string | undefined;
}

/** The overlay of an address: its frame at once, its content as soon as code and data are here. */
function OverlayHost({ location, front, opener }: OverlayHostProps) {
  const { back, close } = useNavigation();
  const found = findOverlay(location.pathname);
  // Opened by its address: the server's view gives way to the content, not to an empty frame.
  const [isCold] = useState(location.key === "default");
  if (!found) return null;
  const { size, path, Content } = found.route;
  return (
    <Dialog size={size} onBack={back} onClose={close} returnTo={opener}>
      <ActiveOverlay value={front}>
        <AfterFrame atOnce={isCold}>
          <Routes location={location}>
            <Route path={path} element={<Content />} />
          </Routes>
        </AfterFrame>
      </ActiveOverlay>
    </Dialog>
  );
}

interface ModalHostProps {
  modal: Modal;
  opener: string | undefined;
  /** Without it the modal cannot be dismissed. */
  onClose?: () => void;
  onDone: () => void;
}

/** A modal without an address. */
export function ModalHost({ modal, opener, onClose, onDone }: ModalHostProps) {
  const entry = modals[modal.kind];
  if (!entry) return null;
  const { size, Content } = entry;
  const Inside = size === "small" ? Guard : AfterFrame;
  return (
    <Dialog size={size} returnTo={opener} {...(onClose ? { onClose } : {})}>
      <ActiveOverlay value={false}>
        <Inside full={size === "full"}>
          <Content modal={modal} onDone={onDone} />
        </Inside>
      </ActiveOverlay>
    </Dialog>
  );
}

function LayerFailed({ error, resetErrorBoundary, wayOut }: FallbackProps & { wayOut?: ReactNode }) {
  const retry = useChunkRetry(error, resetErrorBoundary);
  const online = useOnline();
  return (
    <DialogBody>
      <DialogTitle hidden>Error</DialogTitle>
      <ErrorState
        message={
          online ? wordsForLoad(error, "This didn’t load.") : "You’re offline. Try again when you’re back online."
        }
        onRetry={retry}
        wayOut={wayOut}
      />
    </DialogBody>
  );
}

/** A layer without a head has no Back button. */
function FullLayerFailed(props: FallbackProps) {
  const { back } = useNavigation();
  const goBack = (
    <Button kind="outline" onClick={back}>
      Back
    </Button>
  );
  return <LayerFailed {...props} wayOut={goBack} />;
}

const bones = (
  <DialogBody>
    <Skeleton label="content">
      <SkeletonPart kind="title" width="half" />
      <SkeletonPart kind="line" />
      <SkeletonPart kind="line" />
      <SkeletonPart kind="row" />
    </Skeleton>
  </DialogBody>
);

/** A layer that fails says so inside its frame; the page behind is untouched. */
const Guard = ({ full = false, children }: { full?: boolean; children: ReactNode }) => (
  <ErrorBoundary FallbackComponent={full ? FullLayerFailed : LayerFailed}>
    <Suspense fallback={bones}>{children}</Suspense>
  </ErrorBoundary>
);

/** What fills a frame that does not take its height from it: drawn bit by bit once the frame has been painted. */
function AfterFrame({
  atOnce = false,
  full = false,
  children,
}: {
  atOnce?: boolean;
  full?: boolean;
  children: ReactNode;
}) {
  const isFramed = useDeferredValue(true, atOnce);
  return isFramed ? <Guard full={full}>{children}</Guard> : bones;
}
