import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import type { Input } from "@marketday/contracts/endpoint";
import type { createLead } from "@marketday/contracts/leads";
import { ZIP_PATTERN } from "@marketday/domain/limits";
import { cleanText, cleanZip, isEmail, isPhone } from "@marketday/domain/text";
import type { FormProblem } from "@marketday/ui/form.tsx";

import { messages } from "../../lib/messages.ts";
import { screenMessages } from "../../lib/screen-messages.ts";

/** What one can apply for (spec §1, §2.3 footer). */
export type ApplicationKind = "vendor" | "driver" | "job";
export type Days = "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday";
export const WEEK: readonly Days[] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/** The longest text, as the contract has it. */
export const TEXT_MAX = 1_000;

/** Every field of the three forms, as it is typed. */
export type ApplicationValues = {
  business: string;
  name: string;
  email: string;
  phone: string;
  zipCode: string;
  website: string;
  vehicle: string;
  position: string;
  days: Days[];
  text: string;
};
export const emptyApplication: ApplicationValues = {
  business: "",
  name: "",
  email: "",
  phone: "",
  zipCode: "",
  website: "",
  vehicle: "",
  position: "",
  days: [],
  text: "",
};

export interface ApplicationField {
  field: Exclude<keyof ApplicationValues, "days">;
  label: string;
  hint?: string;
  /** What to do about it while it is empty; none: it may stay so. */
  missing?: string;
  autoComplete?: string;
  inputMode?: "email" | "tel" | "numeric" | "url";
  max: number;
}

const who: ApplicationField[] = [
  { field: "name", label: "Your name", missing: "Enter your name", autoComplete: "name", max: 100 },
  {
    field: "email",
    label: "Email",
    missing: screenMessages.contactEmail,
    autoComplete: "email",
    inputMode: "email",
    max: 254,
  },
  {
    field: "phone",
    label: "Phone",
    missing: screenMessages.contactPhone,
    autoComplete: "tel",
    inputMode: "tel",
    max: 30,
  },
];
const zip = (label: string): ApplicationField => ({
  field: "zipCode",
  label,
  missing: messages.addressZip,
  autoComplete: "postal-code",
  inputMode: "numeric",
  max: 20,
});

/** The forms, field by field. `text`: the large one at the end. */
export const FORMS: Record<
  ApplicationKind,
  { title: string; fields: ApplicationField[]; text: { label: string; hint?: string; missing?: string }; days: boolean }
> = {
  vendor: {
    title: "Apply to sell with us",
    fields: [
      {
        field: "business",
        label: "Farm or business",
        missing: "Enter the name of your farm or business",
        autoComplete: "organization",
        max: 100,
      },
      ...who,
      zip("Zip code of the farm"),
      { field: "website", label: "Website (optional)", autoComplete: "url", inputMode: "url", max: 200 },
    ],
    text: { label: "What do you grow or make?", missing: "Tell us what you grow or make" },
    days: false,
  },
  driver: {
    title: "Apply to drive for us",
    fields: [
      ...who,
      zip("Zip code you start from"),
      {
        field: "vehicle",
        label: "What do you drive?",
        hint: "Mention a cooler if it has one",
        missing: "Tell us what you drive",
        max: 200,
      },
    ],
    text: { label: "Anything else? (optional)" },
    days: true,
  },
  job: {
    title: "Apply to work with us",
    fields: [
      ...who,
      zip("Zip code"),
      { field: "position", label: "What would you like to do?", missing: "Tell us what you'd like to do", max: 100 },
    ],
    text: { label: "About you", hint: "What you've done, and when you could start", missing: "Tell us about you" },
    days: false,
  },
};

/** Ids of the fields. */
export const applicationIds = controlIds("application", emptyApplication);

/** What keeps an application from being sent, in the order of its fields; the server thinks the same. */
export function applicationProblems(kind: ApplicationKind, values: ApplicationValues): FormProblem[] {
  const { fields, text, days } = FORMS[kind];
  const valid = {
    email: isEmail,
    phone: isPhone,
    zipCode: (value: string) => ZIP_PATTERN.test(cleanZip(value)),
  };
  const missing = fields.map(({ field, missing }) => {
    const value = cleanText(values[field]);
    const ok = field in valid ? valid[field as keyof typeof valid](value) : value !== "";
    return [field, !ok && missing] as const;
  });
  const words = cleanText(values.text);
  return problemsOf(applicationIds, {
    ...Object.fromEntries(missing),
    days: days && values.days.length === 0 && "Choose the days you can drive",
    text: words === "" ? text.missing : words.length > TEXT_MAX && `At most ${TEXT_MAX} characters`,
  });
}

/** The body of the call. */
export function applicationBody(kind: ApplicationKind, values: ApplicationValues): Input<typeof createLead>["body"] {
  const { name, email, phone, zipCode, business, website, vehicle, days, position, text } = values;
  const about = { name: name.trim(), email: email.trim(), phone: phone.trim(), zipCode };
  if (kind === "vendor")
    return { kind, ...about, business: business.trim(), website: website.trim(), products: text.trim() };
  if (kind === "driver")
    return {
      kind,
      ...about,
      vehicle: vehicle.trim(),
      days: WEEK.filter((day) => days.includes(day)),
      message: text.trim(),
    };
  return { kind, ...about, position: position.trim(), message: text.trim() };
}
