import { createUseTitle } from "@marketday/client/overlays/titles.tsx";

/** Names the document: "Today · Back office". */
export const useTitle = createUseTitle("Back office");
