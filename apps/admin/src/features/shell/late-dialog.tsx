import { useChunkRetry } from "@marketday/client/chunk-retry.ts";
import { wordsForLoad } from "@marketday/client/lazy-with-retry.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { type ReactNode, Suspense } from "react";
import { ErrorBoundary, useErrorBoundary } from "react-error-boundary";

import * as t from "#messages/shell";

interface LateDialogProps {
  /** Until the content brings it. */
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog whose content is split-off code, with its own title: the frame is there at once. */
export const LateDialog = ({ title, onClose, children }: LateDialogProps) => (
  <Dialog onClose={onClose}>
    <ErrorBoundary
      fallback={
        <>
          <DialogTitle>{title}</DialogTitle>
          <DialogBody>
            <PartFailed />
          </DialogBody>
        </>
      }
    >
      <Suspense
        fallback={
          <>
            <DialogTitle>{title}</DialogTitle>
            <DialogBody>{partBones}</DialogBody>
          </>
        }
      >
        {children}
      </Suspense>
    </ErrorBoundary>
  </Dialog>
);

/** In place of a part of a screen whose code is on its way. */
export const partBones = (
  <Skeleton label={t.loadingPart}>
    <SkeletonPart kind="row" />
    <SkeletonPart kind="row" />
  </Skeleton>
);

/** In place of a part of a screen whose code did not load, inside of its error boundary. */
export function PartFailed({ wayOut }: { wayOut?: ReactNode }) {
  const { error, resetBoundary } = useErrorBoundary();
  const retry = useChunkRetry(error, resetBoundary);
  return (
    <ErrorState message={wordsForLoad(error, t.partFailed)} retryLabel={t.tryAgain} onRetry={retry} wayOut={wayOut} />
  );
}
