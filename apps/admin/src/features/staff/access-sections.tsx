import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";

import * as t from "#messages/staff";

import { accessQuery, type StaffMember } from "./api.ts";
import { KeysOfPerson } from "./keys-of-person.tsx";
import { SessionsOfPerson } from "./sessions-of-person.tsx";

/** Where a person is signed in, and their API keys. */
export function AccessSections({ person, firstName }: { person: StaffMember; firstName: string }) {
  const { data: access, isError, refetch } = useQuery(accessQuery(person.id));
  if (access)
    return (
      <>
        <SessionsOfPerson person={person} firstName={firstName} sessions={access.sessions} />
        <KeysOfPerson person={person} firstName={firstName} keys={access.keys} />
      </>
    );
  if (isError) return <ErrorState message={t.accessFailed} onRetry={() => void refetch()} />;
  return (
    <Skeleton label={t.accessLoading}>
      <SkeletonPart kind="title" width="third" />
      <SkeletonPart kind="row" />
    </Skeleton>
  );
}
