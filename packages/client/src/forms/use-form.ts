import type { FormProblem } from "@marketday/ui/form.tsx";
import { useMemo, useState } from "react";

import { ApiError } from "../transport.ts";
import { type ControlIds, withoutCorrected } from "./problems.ts";
import { useAction } from "./use-action.ts";

interface FormOptions<F extends string> {
  ids: ControlIds<F>;
  /** What is wrong with the values as they are now (`problemsOf`), whether it is shown or not. */
  problems: readonly FormProblem[];
}

/**
 * The messages of a form and its one action. Problems show after a submit, each until it is corrected; so does a refusal of a field
 * by the server, in its own words, until the next submit. The values stay with the form: in `useState`, or in `useFormDraft`.
 */
export function useForm<F extends string>({ ids, problems: now }: FormOptions<F>) {
  const { running, error, failure, attempt, clearError } = useAction();
  const [found, setFound] = useState<readonly FormProblem[]>([]);
  const left = withoutCorrected(found, now);
  // A mistake made again waits for the next submit.
  if (left.length < found.length) setFound(left);

  const refusedId = refusedField(failure, ids);
  // The same object as long as it is shown: `Form` moves the focus to a new one.
  const refused = useMemo(
    () => (refusedId === null || failure === null ? [] : [{ field: refusedId, message: failure.message }]),
    [refusedId, failure],
  );
  const problems: FormProblem[] = [...left, ...refused];

  /** Shows what is wrong. @returns whether nothing is */
  const check = (): boolean => {
    // Each time new objects, for the focus. What was refused before is no news beside them.
    setFound(now.map((problem) => ({ ...problem })));
    if (now.length > 0) clearError();
    return now.length === 0;
  };
  return {
    running,
    /** The message of the last submit that failed, when it is none of a field. */
    error: refusedId === null ? error : null,
    /** For `<Form>`. */
    problems,
    /** For the `<Field>` of a control. */
    field: (name: F) => ({
      id: ids[name],
      error: problems.find(({ field }) => field === ids[name])?.message ?? null,
    }),
    check,
    /** Runs only without problems, and not twice at a time. `wording` as of `attempt`. @returns the result, or null */
    submit: async <T>(run: () => Promise<T>, wording?: (error: unknown) => string): Promise<T | null> =>
      running === null && check() ? attempt("submit", run, wording) : null,
  };
}

/** The control of the field that the server refused; null: it named none of this form. */
function refusedField<F extends string>(failure: unknown, ids: ControlIds<F>): string | null {
  const field = failure instanceof ApiError ? failure.details["field"] : undefined;
  return typeof field === "string" && Object.keys(ids).includes(field) ? ids[field as F] : null;
}
