import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/calls";
import { ZIP_LENGTH } from "@marketday/domain/limits";
import { skipToken, useQuery } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import type { ZipPlace } from "./address.ts";

/** The place of a ZIP code. Null: there is no such ZIP code; undefined: not known, as while it is typed or without a network. */
export function useZipPlace(zipCode: string): ZipPlace | null | undefined {
  return useQuery({
    queryKey: ["zip-place", zipCode],
    queryFn:
      zipCode.length === ZIP_LENGTH
        ? ({ signal }): Promise<ZipPlace | null> =>
            call(calls.zipPlace, { params: { zipCode } }, { signal }).catch((error: unknown) => {
              if (error instanceof ApiError && error.status === 404) return null;
              throw error;
            })
        : skipToken,
    staleTime: Infinity,
    retry: false,
  }).data;
}
