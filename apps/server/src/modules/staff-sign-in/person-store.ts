import type { Client, Prisma } from "@marketday/db";

import type { StaffId } from "../identity/context.ts";

const credentials = {
  id: true,
  email: true,
  name: true,
  password_hash: true,
  totp_secret: true,
  totp_last_step: true,
  disabled_at: true,
} satisfies Prisma.staffSelect;
/** A person with what proves who they are. */
export type Person = Prisma.staffGetPayload<{ select: typeof credentials }>;

export const findPersonByEmail = (db: Client, email: string): Promise<Person | null> =>
  db.staff.findUnique({ where: { email }, select: credentials });

export const getPerson = (db: Client, staffId: number): Promise<Person> =>
  db.staff.findUniqueOrThrow({ where: { id: staffId }, select: credentials });

/**
 * Stores that a code of the authenticator app was accepted: each counts once.
 * @returns false when this code or a later one was used before, or the password is another one now
 */
export async function takeAppCode(
  db: Client,
  { id, password_hash }: Pick<Person, "id" | "password_hash">,
  step: number,
): Promise<boolean> {
  const { count } = await db.staff.updateMany({
    where: {
      id,
      password_hash,
      disabled_at: null,
      OR: [{ totp_last_step: null }, { totp_last_step: { lt: step } }],
    },
    data: { totp_last_step: step },
  });
  return count === 1;
}

/** Addresses of the owners who have not been disabled. */
export const findOwnerEmails = async (db: Client): Promise<string[]> =>
  (
    await db.staff.findMany({
      where: { disabled_at: null, grants: { some: { role: "owner" } } },
      select: { email: true },
      orderBy: { id: "asc" },
    })
  ).map(({ email }) => email);

/** Stores a person's name and, with `password`, their sign-in by password and authenticator app. */
export async function setUpPerson(
  db: Client,
  id: StaffId,
  { name, password }: { name: string; password?: { passwordHash: string; totpSecret: string; step: number } },
): Promise<void> {
  await db.staff.update({
    where: { id },
    data: {
      name,
      version: { increment: 1 },
      ...(password && {
        password_hash: password.passwordHash,
        totp_secret: password.totpSecret,
        totp_last_step: password.step,
      }),
    },
  });
}
