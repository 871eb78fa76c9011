import { useChunkRetry } from "@marketday/client/chunk-retry.ts";
import { wordsForLoad } from "@marketday/client/lazy-with-retry.tsx";
import { layerKey, OverlayLayer } from "@marketday/client/overlays/overlay-layer.tsx";
import type { OverlayEntry } from "@marketday/client/overlays/overlay-stack.ts";
import { useOnline } from "@marketday/client/use-online.ts";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import type { ReactNode } from "react";
import type { FallbackProps } from "react-error-boundary";
import { type Location, Route, Routes } from "react-router";

import type { Modal } from "../navigation/modals.ts";
import { useNavigation } from "../navigation/overlays.ts";
import { modals } from "./modals.tsx";
import { findOverlay } from "./routes.tsx";

interface OverlaysProps {
  stack: OverlayEntry<Modal>[];
  /** The one that names the document. */
  named: OverlayEntry<Modal> | undefined;
  hasMarket: boolean;
}

/** Everything above the page, bottom first. */
export function Overlays({ stack, named, hasMarket }: OverlaysProps) {
  const { close } = useNavigation();
  return stack.map((layer, height) => {
    const { location, modal, opener } = layer;
    const key = layerKey(layer, height);
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

/** The overlay of an address. */
function OverlayHost({ location, front, opener }: OverlayHostProps) {
  const { back, close } = useNavigation();
  const found = findOverlay(location.pathname);
  if (!found) return null;
  const { size, path, Content } = found.route;
  return (
    <OverlayLayer
      size={size}
      onBack={back}
      onClose={close}
      returnTo={opener}
      front={front}
      // Opened by its address: the server's view gives way to the content, not to an empty frame.
      atOnce={location.key === "default"}
      waiting={bones}
      FailedComponent={LayerFailed}
    >
      <Routes location={location}>
        <Route path={path} element={<Content />} />
      </Routes>
    </OverlayLayer>
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
  return (
    <OverlayLayer
      size={size}
      returnTo={opener}
      {...(onClose ? { onClose } : {})}
      // It takes its height from its content.
      atOnce={size === "small"}
      waiting={bones}
      FailedComponent={size === "full" ? FullLayerFailed : LayerFailed}
    >
      <Content modal={modal} onDone={onDone} />
    </OverlayLayer>
  );
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
