import { ErrorState } from "@marketday/ui/error-state.tsx";
import { type ReactNode, Suspense } from "react";
import { ErrorBoundary, useErrorBoundary } from "react-error-boundary";

import { useChunkRetry } from "./chunk-retry.ts";

interface AsyncBoundaryProps {
  /** While its code is on its way. */
  waiting?: ReactNode;
  /** The message, with Retry, when it fails … */
  failed?: string;
  /** … or its replacement; null: nothing. */
  instead?: ReactNode;
  children: ReactNode;
}

/** A part of a screen whose code comes later, or that may fail: the rest of the screen is untouched. */
export const AsyncBoundary = ({ waiting = null, failed, instead = null, children }: AsyncBoundaryProps) => (
  <ErrorBoundary fallback={<Failed message={failed} instead={instead} />}>
    <Suspense fallback={waiting}>{children}</Suspense>
  </ErrorBoundary>
);

interface FailedProps {
  message: string | undefined;
  instead: ReactNode;
}

function Failed({ message, instead }: FailedProps) {
  const { error, resetBoundary } = useErrorBoundary();
  const retry = useChunkRetry(error, resetBoundary);
  return message === undefined ? instead : <ErrorState message={message} onRetry={retry} />;
}
