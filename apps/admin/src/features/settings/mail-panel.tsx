import { useAction } from "@marketday/client/forms/use-action.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { Tabs } from "@marketday/ui/tabs.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";

import * as t from "#messages/settings";

import { call } from "../../lib/api.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { RequestKeys } from "../session/request-key.ts";
import { mailDocument, mailQuery } from "./api.ts";

import s from "./settings.module.css";

interface MailPanelProps {
  name: string;
  /** Where a test goes. */
  testTo: string;
  /** Whether there is a mail server; without one a test is a file on the server. */
  isSent: boolean;
  onClose: () => void;
}

/** An email with made-up data: as it looks, and as text. A test of it goes to the person who opened it. */
export function MailPanel({ name, testTo, isSent, onClose }: MailPanelProps) {
  const { data: mail, error, refetch } = useQuery(mailQuery(name));
  const [view, setView] = useState<"looks" | "text">("looks");
  return (
    <Dialog size="panel" onClose={onClose} returnTo={`mail-${name}`}>
      <DialogBody>
        <DialogTitle>{mail?.subject ?? t.mails}</DialogTitle>
        {mail ? (
          <Stack gap={4}>
            <p>{mail.about}</p>
            {mail.canBeStopped && <p className={s.note}>{t.canBeStoppedNote}</p>}
            <TestMail name={name} to={testTo} isSent={isSent} />
            <Tabs
              label={t.looks}
              current={view}
              onChange={setView}
              tabs={[
                {
                  id: "looks",
                  label: t.asItLooks,
                  panel: (
                    <iframe
                      className={s.preview}
                      title={t.previewOf(mail.subject)}
                      src={mailDocument(name)}
                      sandbox=""
                    />
                  ),
                },
                { id: "text", label: t.asText, panel: <pre className={s.text}>{mail.text}</pre> },
              ]}
            />
            <p className={s.note}>{t.madeUp}</p>
          </Stack>
        ) : error ? (
          <ErrorState
            message={error instanceof ApiError && error.status === 404 ? t.goneMail : t.failedMail}
            onRetry={() => void refetch()}
          >
            {messageOf(error)}
          </ErrorState>
        ) : (
          <Skeleton label={t.loadingMail}>
            <SkeletonPart kind="line" />
            <SkeletonPart kind="wide" />
          </Skeleton>
        )}
      </DialogBody>
    </Dialog>
  );
}

function TestMail({ name, to, isSent }: { name: string; to: string; isSent: boolean }) {
  const { running, error, attempt } = useAction();
  const keys = useRef(new RequestKeys());
  const send = () =>
    void attempt("test", async () => {
      const request = { params: { name } };
      const sent = await keys.current.run(request, (idempotencyKey) =>
        call(calls.sendTestMail, request, { idempotencyKey }),
      );
      toast({ text: isSent ? t.testSent(sent.to) : t.testFiled });
    });
  return (
    <div className={s.test}>
      <Button kind="outline" icon="mail" busy={running !== null && t.sendingTest} onClick={send}>
        {t.sendTest}
      </Button>
      <p className={s.note}>{isSent ? t.testGoesTo(to) : t.notSent}</p>
      {error && <AlertBox key={error}>{error}</AlertBox>}
    </div>
  );
}
