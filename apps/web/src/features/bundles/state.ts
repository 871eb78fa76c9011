/** spec §4 Bundle loading states. */
export const BundleState = { idle: 0, loading: 1, loaded: 2, failed: 3 } as const;
export type BundleState = (typeof BundleState)[keyof typeof BundleState];

/** Where the read of the bundles is; what was loaded once stays loaded while it is read again. */
export function bundleState(read: {
  hubId: number | null;
  hasData: boolean;
  isError: boolean;
  isFetching: boolean;
}): BundleState {
  if (read.hasData) return BundleState.loaded;
  if (read.isFetching) return BundleState.loading;
  if (read.isError) return BundleState.failed;
  return read.hubId === null ? BundleState.idle : BundleState.loading;
}

/** Whether a change of the shopper's hubs reads them again: only from idle or failed, and only with a hub (spec §4). */
export const reloadsOnHubs = (state: BundleState, hubId: number | null): boolean =>
  hubId !== null && (state === BundleState.idle || state === BundleState.failed);
