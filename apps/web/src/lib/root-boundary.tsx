import { ErrorState } from "@marketday/ui/error-state.tsx";
import type { ReactNode } from "react";
import { ErrorBoundary } from "react-error-boundary";

/** The outermost boundary of the app and of each frame: without it React removes everything from the page, the server's view too. */
export const RootBoundary = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary fallback={<RootFailed />}>{children}</ErrorBoundary>
);

const RootFailed = () => (
  <main className="root-failed">
    <h1>This page didn’t work</h1>
    <ErrorState
      message="Something went wrong on our side. Your cart is safe."
      retryLabel="Reload"
      onRetry={() => location.reload()}
    />
  </main>
);
