import type { ReactNode } from "react";

import * as t from "#messages";

import { Banner } from "./banner.tsx";
import { Button } from "./button.tsx";
import { Cluster } from "./layout.tsx";

import s from "./error-state.module.css";

interface ErrorStateProps {
  /** The spec's text where it has one, verbatim. */
  message: string;
  /** A helpful second sentence. */
  children?: ReactNode;
  onRetry?: () => void;
  /** Beside Retry: another way to go on. */
  wayOut?: ReactNode;
  retryLabel?: string;
}

/** The error state of something that did not load, in its place, with Retry. The scroll position stays. */
export const ErrorState = ({ message, children, onRetry, retryLabel = t.retry, wayOut }: ErrorStateProps) => (
  <div className={s.error}>
    <Banner tone="error" role="alert" action={children}>
      {message}
    </Banner>
    {(onRetry || wayOut) && (
      <Cluster gap={3} align="stretch">
        {onRetry && (
          <Button kind="outline" onClick={onRetry}>
            {retryLabel}
          </Button>
        )}
        {wayOut}
      </Cluster>
    )}
  </div>
);
