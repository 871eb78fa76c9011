import { ErrorState } from "@marketday/ui/error-state.tsx";
import type { ReactNode } from "react";
import { ErrorBoundary } from "react-error-boundary";

interface RootBoundaryProps {
  /** What happened, and what is safe. */
  message: string;
  children: ReactNode;
}

/** The outermost boundary of an app and of each frame: without it React removes everything from the page, the server's view too. */
export const RootBoundary = ({ message, children }: RootBoundaryProps) => (
  <ErrorBoundary fallback={<RootFailed message={message} />}>{children}</ErrorBoundary>
);

const RootFailed = ({ message }: { message: string }) => (
  <main className="root-failed">
    <h1>This page didn’t work</h1>
    <ErrorState message={message} retryLabel="Reload" onRetry={() => location.reload()} />
  </main>
);
