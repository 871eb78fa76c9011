import { marketNow } from "@marketday/client/clock.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { Me } from "@marketday/contracts/admin/session";
import { CommandHint } from "@marketday/ui/admin/command-hint.tsx";
import { Button, ButtonLink } from "@marketday/ui/button.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNavigate, useParams } from "react-router";

import * as t from "#messages/session";

import { call } from "../../lib/api.ts";
import { paths } from "../../lib/paths.ts";
import { getItem, removeItem, setItem } from "../../lib/storage.ts";
import { useTitle } from "../../lib/use-title.ts";
import { sessionQuery, useAdoptMe } from "./api.ts";
import { rememberPerson } from "./known-person.ts";
import { browserHasPasskeys } from "./passkeys.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { wordsOfRoles } from "./roles.ts";
import { SetUpPasskey } from "./set-up-passkey.tsx";
import { SetUpPassword } from "./set-up-password.tsx";
import type { SetUp } from "./set-up.ts";
import { FrontPage } from "./sign-in-page.tsx";

import s from "./invite-page.module.css";

/** The link's token, in this tab alone: it leaves the address at once, for histories and shoulders (failures.md F20). */
const KEPT = "invite-token";

/** An invitation or reset link: who one is, what one may do, and how one signs in from now on. */
export default function InvitePage() {
  const { token: inAddress } = useParams();
  const navigate = useNavigate();
  const [token] = useState(() => inAddress ?? getItem<string>("session", KEPT) ?? "");
  const { data: session, isError: hasFailed, refetch: refetchSession } = useQuery(sessionQuery);
  const invite = useQuery({
    queryKey: ["invite", token],
    queryFn: () => call(calls.getInvite, { params: { token } }),
    enabled: token !== "",
    staleTime: Infinity,
  });
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  const adoptMe = useAdoptMe();
  useTitle(setUp ? t.codesTitle : t.inviteTab);

  useEffect(() => {
    if (inAddress === undefined) return;
    setItem("session", KEPT, inAddress);
    void navigate(paths.invite(""), { replace: true });
  }, [inAddress, navigate]);

  // The form is gone with the button that had the focus.
  const codes = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (setUp) codes.current?.focus();
  }, [setUp]);

  const isDead = token === "" || (invite.error instanceof ApiError && invite.error.code === "link_dead");
  const { marketName = "", passkeysWork = true } = session ?? {};
  return (
    <FrontPage marketName={marketName}>
      {setUp ? (
        <>
          <h1 ref={codes} tabIndex={-1}>
            {t.codesTitle}
          </h1>
          <RecoveryCodes
            codes={setUp.recoveryCodes}
            marketName={marketName}
            email={setUp.me.email}
            doneLabel={t.codesContinue}
            onDone={() => {
              void adoptMe(setUp.me);
              void navigate(paths.today, { replace: true });
            }}
          />
        </>
      ) : isDead ? (
        <DeadLink />
      ) : hasFailed || invite.isError ? (
        <>
          <h1>{t.inviteTab}</h1>
          <ErrorState
            message={t.inviteFailed}
            onRetry={() => {
              if (hasFailed) void refetchSession();
              if (invite.isError) void invite.refetch();
            }}
          />
        </>
      ) : !session || !invite.data ? (
        <>
          <h1>{t.inviteTab}</h1>
          <Skeleton label={t.inviteLoading}>
            <SkeletonPart kind="line" />
            <SkeletonPart kind="line" width="half" />
            <SkeletonPart kind="row" />
          </Skeleton>
        </>
      ) : (
        <SetUpForm
          token={token}
          invite={invite.data}
          marketName={marketName}
          passkeysWork={passkeysWork}
          onSetUp={(done) => {
            removeItem("session", KEPT);
            rememberPerson(done.me, marketNow());
            setSetUp(done);
          }}
        />
      )}
    </FrontPage>
  );
}

interface SetUpFormProps {
  token: string;
  invite: { name: string; email: string; roles: Me["roles"]; isReset: boolean };
  marketName: string;
  /** Of the server: its address is https or localhost. */
  passkeysWork: boolean;
  onSetUp: (setUp: SetUp) => void;
}

function SetUpForm({ token, invite, marketName, passkeysWork, onSetUp }: SetUpFormProps) {
  const [name, setName] = useState(invite.name);
  const hasPasskeys = passkeysWork && browserHasPasskeys();
  const [byPassword, setByPassword] = useState(!hasPasskeys);
  const shared = { token, name, onName: setName, onSetUp };
  return (
    <>
      <h1>{invite.isReset ? t.resetTitle(invite.name) : t.inviteTitle(invite.name)}</h1>
      <p className={s.lead}>{invite.isReset ? t.resetLead : t.inviteLead(marketName)}</p>
      <section aria-labelledby="invite-roles">
        <h2 id="invite-roles" className={s.heading}>
          {t.yourRoles}
        </h2>
        <ul className={s.roles}>
          {wordsOfRoles(invite.roles).map(({ role, title, sentence }) => (
            <li key={role}>
              <strong>{title}</strong>
              <span>{sentence}</span>
            </li>
          ))}
        </ul>
      </section>
      {!hasPasskeys && <p>{passkeysWork ? t.noPasskeysInvite : t.httpInvite}</p>}
      {byPassword ? <SetUpPassword {...shared} email={invite.email} /> : <SetUpPasskey {...shared} />}
      {hasPasskeys && (
        <Button kind="link" wide onClick={() => setByPassword(!byPassword)}>
          {byPassword ? t.passkeyInstead : t.passwordInstead}
        </Button>
      )}
    </>
  );
}

const DeadLink = () => (
  <Stack gap={4}>
    <h1>{t.deadTitle}</h1>
    <p>{t.deadBody}</p>
    <p>{t.deadInvited}</p>
    <p>{t.deadMachine}</p>
    <CommandHint command={t.deadCommand} />
    <ButtonLink kind="outline" to={paths.today} wide>
      {t.deadSignIn}
    </ButtonLink>
  </Stack>
);
