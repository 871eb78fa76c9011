import { createUseTitle } from "@marketday/client/overlays/titles.tsx";

import { config } from "./boot.ts";

/** Names the document "{title} · {market}" while this is the front layer; null leaves the name as it is. */
export const useTitle = createUseTitle(config.marketName);
