import { FROM_A_VENDOR, OTHER_SOURCE } from "@marketday/domain/survey";

/** What was chosen of the marketing sources (spec §5 Marketing source). */
export interface SourceDraft {
  option: string | null;
  vendorId: number | null;
  /** The words of "Other". */
  words: string;
}

/** The answer as it is sent, or what is missing. */
export function sourceAnswer({
  option,
  vendorId,
  words,
}: SourceDraft): { response: string; vendorId?: number } | string {
  if (option === null) return "Choose one of the answers.";
  if (option === OTHER_SOURCE) return { response: words.trim() === "" ? OTHER_SOURCE : words.trim() };
  if (option !== FROM_A_VENDOR) return { response: option };
  return vendorId === null ? "Choose the farmer or vendor." : { response: option, vendorId };
}
