import { problemsOf } from "@marketday/client/forms/problems.ts";
import { RELATIONSHIPS } from "@marketday/domain/limits";
import type { FormProblem } from "@marketday/ui/form.tsx";

import type { Endorsement } from "./api.ts";

/** What is chosen so far; nothing is chosen for the shopper. */
export interface EndorsementDraft {
  score: number | null;
  relationship: number | null;
  comment: string;
  hasVisited: boolean | null;
  visitRating: number | null;
  wouldVisitAgain: boolean | null;
}

export const emptyEndorsement: EndorsementDraft = {
  score: null,
  relationship: null,
  comment: "",
  hasVisited: null,
  visitRating: null,
  wouldVisitAgain: null,
};

/** spec §5 Endorsement: 1 patron, 2 relative, 3 friend, 4 employee. */
export const relationships: { value: number; label: string; note: string }[] = [
  { value: RELATIONSHIPS.patron, label: "Patron", note: "I buy what they make" },
  { value: RELATIONSHIPS.relative, label: "Relative", note: "We are family" },
  { value: RELATIONSHIPS.friend, label: "Friend", note: "We know each other" },
  { value: RELATIONSHIPS.employee, label: "Employee", note: "I work there, or did" },
];

/** A visit on five steps. */
export const visitLabels = ["Poor", "Fair", "Good", "Very good", "Wonderful"] as const;

/** Ids of the fields that can be missing. */
export const endorsementIds = { score: "endorse-score", relationship: "endorse-relationship" } as const;

/** What keeps an endorsement from being sent: the two choices it is made of. */
export const endorsementProblems = ({ score, relationship }: EndorsementDraft): FormProblem[] =>
  problemsOf(endorsementIds, {
    score: score === null && "Choose how much you agree",
    relationship: relationship === null && "Choose how you know this farm",
  });

/** The body of the call; answers about a visit only when there was one (spec §4 Endorse). Null while a choice is missing. */
export function endorsementBody(draft: EndorsementDraft): Endorsement | null {
  const { score, relationship, hasVisited, visitRating, wouldVisitAgain } = draft;
  if (score === null || relationship === null) return null;
  const comment = draft.comment.trim();
  return {
    score,
    relationship,
    ...(comment === "" ? {} : { comment }),
    ...(hasVisited === null ? {} : { hasVisited }),
    ...(hasVisited === true && visitRating !== null ? { visitRating } : {}),
    ...(hasVisited === true && wouldVisitAgain !== null ? { wouldVisitAgain } : {}),
  };
}
