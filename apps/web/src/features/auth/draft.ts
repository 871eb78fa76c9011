/**
 * What was typed about oneself, kept while the tab lives, so that going from login to register, back, or to the welcome
 * loses nothing. Passwords are not in it.
 */
export interface AuthDraft {
  email: string;
  firstName: string;
  lastName: string;
  zipCode: string;
}

const empty: AuthDraft = { email: "", firstName: "", lastName: "", zipCode: "" };
let draft = empty;

export const authDraft = {
  read: (): AuthDraft => draft,
  keep: (values: Partial<AuthDraft>): void => {
    const { email, firstName, lastName, zipCode } = { ...draft, ...values };
    draft = { email, firstName, lastName, zipCode };
  },
  forget: (): void => {
    draft = empty;
  },
};
