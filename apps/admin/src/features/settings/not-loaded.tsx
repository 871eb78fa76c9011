import { messageOf } from "@marketday/client/messages.ts";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";

import s from "./settings.module.css";

interface NotLoadedProps {
  /** Null: it is loading. */
  error: Error | null;
  /** "the environment" */
  label: string;
  /** "The environment could not be loaded." */
  failed: string;
  onRetry: () => void;
}

/** In place of a view of the settings: it is loading, or it failed. */
export const NotLoaded = ({ error, label, failed, onRetry }: NotLoadedProps) => (
  <div className={s.body}>
    {error ? (
      <ErrorState message={failed} onRetry={onRetry}>
        {messageOf(error)}
      </ErrorState>
    ) : (
      <Skeleton label={label}>
        <SkeletonPart kind="title" width="third" />
        <SkeletonPart kind="row" />
        <SkeletonPart kind="row" />
      </Skeleton>
    )}
  </div>
);
