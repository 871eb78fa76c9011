import * as calls from "@marketday/contracts/calls";
import type { HomeDelivery } from "@marketday/contracts/hubs";
import { ZIP_LENGTH } from "@marketday/domain/limits";
import { queryOptions, skipToken } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

/** Whether the shopper's market delivers to a ZIP code, requested when it has five digits. Throws ApiError 404 where no market would. */
export const homeDeliveryQuery = (zipCode: string) =>
  queryOptions({
    queryKey: ["home-delivery", zipCode],
    queryFn:
      zipCode.length === ZIP_LENGTH
        ? ({ signal }): Promise<HomeDelivery> => call(calls.homeDeliveryAt, { querystring: { zipCode } }, { signal })
        : skipToken,
    retry: false,
  });
