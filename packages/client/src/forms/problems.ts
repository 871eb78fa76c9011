import type { FormProblem } from "@marketday/ui/form.tsx";

/** The id of each field's control. A field has the name that the server has for it. */
export type ControlIds<F extends string> = Readonly<Record<F, string>>;

/** Ids of a form's controls: its name and the field's. */
export const controlIds = <T extends object>(form: string, values: T): ControlIds<keyof T & string> =>
  Object.fromEntries(Object.keys(values).map((field) => [field, `${form}-${field}`])) as ControlIds<keyof T & string>;

/** What is wrong with a form, from its rules: the message of each field, in the form's order; null or false: nothing is. */
export const problemsOf = <F extends string>(
  ids: ControlIds<F>,
  messages: Partial<Record<F, string | false | null | undefined>>,
): FormProblem[] =>
  (Object.keys(messages) as F[]).flatMap((field) => {
    const message: string | false | null | undefined = messages[field];
    return message ? [{ field: ids[field], message }] : [];
  });

/** The problems found by a submit that are still there: what was corrected is gone, the rest are the same objects. */
export const withoutCorrected = (found: readonly FormProblem[], now: readonly FormProblem[]): FormProblem[] =>
  found.filter(({ field }) => now.some((problem) => problem.field === field));
