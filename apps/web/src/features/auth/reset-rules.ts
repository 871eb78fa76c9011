import { PASSWORD_MIN_RESET } from "@marketday/domain/limits";

import { screenMessages } from "../../lib/screen-messages.ts";

export interface NewPassword {
  password: string;
  confirm: string;
}

/** What is wrong with a new password, by field; null where nothing is (spec §5 Password reset screen). */
export function newPasswordProblems({ password, confirm }: NewPassword): Record<keyof NewPassword, string | null> {
  const length = [...password].length;
  return {
    password:
      length === 0 ? screenMessages.resetRequired : length < PASSWORD_MIN_RESET ? screenMessages.resetShort : null,
    confirm: password === confirm ? null : screenMessages.resetMatch,
  };
}

/** Whether the button works (spec §4 Password reset): both match and are long enough. */
export const isNewPassword = (values: NewPassword): boolean =>
  Object.values(newPasswordProblems(values)).every((problem) => problem === null);
