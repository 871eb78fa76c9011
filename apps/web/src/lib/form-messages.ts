/** The spec's texts (§5) of forms that neither the shop nor the checkout has: verbatim, as in `messages.ts`. */
export const formMessages = {
  registerEmail: "Email is requried",
  registerFirstName: "Your first name is requried",
  registerLastName: "Your last name is requried",
  registerPassword: "Password is too short",
  registerZip: "Zip Code is required",
  registerMatch: "Passwords do not match",
  forgotEmail: "Please enter an email address.",
  resetRequired: "A password is required.",
  resetShort: "Password must be at least 6 characters long.",
  resetMatch: "Passwords must match.",
  contactEmail: "Valid email is required",
  contactFirstName: "Your first name is required",
  contactLastName: "Your last name is required",
  contactZip: "Valid zip code is required",
  contactPhone: "Phone Number not valid",
} as const;
