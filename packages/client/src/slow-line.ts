/**
 * Whether the connection is slow or metered, so that nothing is prefetched. Only Chromium reports it: elsewhere the
 * connection counts as fast.
 */
export const isSlowLine = (): boolean => {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || !["4g", undefined].includes(connection?.effectiveType);
};
