import type { acceptInviteWithPasskey } from "@marketday/contracts/admin/session";
import type { Output } from "@marketday/contracts/endpoint";

/** The result of an invitation or reset link: who is signed in, and recovery codes that are shown once. */
export type SetUp = Output<typeof acceptInviteWithPasskey>;
