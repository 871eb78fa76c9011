import { PASSWORD_MIN_RESET } from "@marketday/domain/limits";

import type { Env } from "../../env.ts";
import { assertGoodPassword } from "../../lib/password.ts";

/** A new password (spec §5 Password reset): at least 6 characters, not a common one, not the customer's names. */
export function assertNewPassword(
  env: Env,
  password: string,
  of: { first_name: string; last_name: string; email: string },
): void {
  const min = Math.max(PASSWORD_MIN_RESET, env.passwordMin);
  assertGoodPassword(password, {
    min,
    names: [of.first_name, of.last_name, of.email.split("@")[0] ?? "", env.marketName],
    tooShort: `Password must be at least ${min} characters long.`,
  });
}
