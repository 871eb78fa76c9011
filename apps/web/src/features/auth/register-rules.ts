import { NAME_MIN, PASSWORD_MIN_REGISTER, ZIP_LENGTH } from "@marketday/domain/limits";
import { cleanLine, isEmail } from "@marketday/domain/text";

import { screenMessages } from "../../lib/screen-messages.ts";

/** What the register form holds, as typed. */
export interface RegisterValues {
  firstName: string;
  lastName: string;
  email: string;
  zipCode: string;
  password: string;
  confirm: string;
}

export interface Requirement {
  id: "email" | "firstName" | "lastName" | "password" | "zipCode" | "match";
  /** The spec's message while it is not met. */
  message: string;
  /** The message once it is met. */
  name: string;
  met: boolean;
}

/**
 * The rules of spec §5 Register with their messages. While the first name is empty both name messages show; the last
 * name is required separately too (docs/product.md §15).
 */
export function requirementsOf({
  firstName,
  lastName,
  email,
  zipCode,
  password,
  confirm,
}: RegisterValues): Requirement[] {
  const hasFirst = cleanLine(firstName).length >= NAME_MIN;
  return [
    {
      id: "email",
      name: "Email",
      message: screenMessages.registerEmail,
      met: isEmail(email),
    },
    { id: "firstName", name: "First name", message: screenMessages.registerFirstName, met: hasFirst },
    {
      id: "lastName",
      name: "Last name",
      message: screenMessages.registerLastName,
      met: hasFirst && cleanLine(lastName).length >= NAME_MIN,
    },
    {
      id: "password",
      name: "Password",
      message: screenMessages.registerPassword,
      met: password.length >= PASSWORD_MIN_REGISTER,
    },
    { id: "zipCode", name: "Zip code", message: screenMessages.registerZip, met: zipCode.length >= ZIP_LENGTH },
    { id: "match", name: "Passwords match", message: screenMessages.registerMatch, met: password === confirm },
  ];
}
