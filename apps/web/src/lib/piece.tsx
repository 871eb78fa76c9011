import { type ReactNode, Suspense, useEffect } from "react";
import { ErrorBoundary, useErrorBoundary } from "react-error-boundary";

import { ErrorState } from "../ui/error-state.tsx";
import { forgetFailed } from "./later.tsx";

interface PieceProps {
  /** While its code is on its way. */
  waiting?: ReactNode;
  /** The message, with Retry, when it fails … */
  failed?: string;
  /** … or its replacement; null: nothing. */
  instead?: ReactNode;
  children: ReactNode;
}

/** A part of a screen whose code comes later, or that may fail: the rest of the screen is untouched. */
export const Piece = ({ waiting = null, failed, instead = null, children }: PieceProps) => (
  <ErrorBoundary fallback={<Failed message={failed} instead={instead} />}>
    <Suspense fallback={waiting}>{children}</Suspense>
  </ErrorBoundary>
);

function Failed({ message, instead }: { message: string | undefined; instead: ReactNode }) {
  const { resetBoundary } = useErrorBoundary();
  useEffect(forgetFailed, []);
  return message === undefined ? instead : <ErrorState message={message} onRetry={resetBoundary} />;
}
