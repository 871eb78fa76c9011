import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import type { SearchMode } from "./term.ts";

/** Goes to results: `push` to what Back should come back from, `replace` to what is still the same view. */
export function useGoTo() {
  const { navigate } = useNavigation();
  return ({ term, mode, page }: { term: string; mode: SearchMode; page: number }, how: "push" | "replace") =>
    void navigate(paths.search(term, mode, page), { replace: how === "replace" });
}
