import { ApiError } from "@marketday/client/transport.ts";
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";

import { NotSent, RequestKeys } from "./request-key.ts";
import { StepUpSheet, type StepUpSubject } from "./step-up-sheet.tsx";

/**
 * Runs a call that needs a step-up. Without one of the last five minutes the sheet opens, and the call is repeated once, with the same
 * idempotency key. `request` is what is sent, for a call that takes the key: after a lost answer the same request has the same key again.
 * @returns null: the person chose not to confirm. @throws what the call throws
 */
type WithStepUp = <T>(
  subject: StepUpSubject,
  run: (idempotencyKey: string) => Promise<T>,
  request?: unknown,
) => Promise<T | null>;

const StepUpContext = createContext<((subject: StepUpSubject) => Promise<boolean>) | null>(null);

interface Pending {
  subject: StepUpSubject;
  settle: (isConfirmed: boolean) => void;
}

/** Holds the one sheet in which a person confirms with a passkey who they are. Around all screens. */
export function StepUpProvider({ children }: { children: ReactNode }) {
  const [pending, setPending] = useState<Pending | null>(null);
  const latest = useRef<Pending | null>(null);
  const confirm = useCallback((subject: StepUpSubject) => {
    // Of two at the same time, the newer one is shown.
    latest.current?.settle(false);
    return new Promise<boolean>((resolve) => {
      const next: Pending = {
        subject,
        settle: (isConfirmed) => {
          if (latest.current === next) {
            latest.current = null;
            setPending(null);
          }
          resolve(isConfirmed);
        },
      };
      latest.current = next;
      setPending(next);
    });
  }, []);
  return (
    <StepUpContext value={confirm}>
      {children}
      {pending && (
        <StepUpSheet
          subject={pending.subject}
          onConfirmed={() => pending.settle(true)}
          onClose={() => pending.settle(false)}
        />
      )}
    </StepUpContext>
  );
}

const needsStepUp = (error: unknown): boolean => error instanceof ApiError && error.code === "step_up_required";

/** The writes of a screen that need a step-up. */
export function useStepUp(): WithStepUp {
  const confirm = useContext(StepUpContext);
  if (!confirm) throw new Error("useStepUp belongs inside a <StepUpProvider>.");
  const [keys] = useState(() => new RequestKeys());
  return useCallback(
    async (subject, run, request) => {
      try {
        return await keys.run(request, async (key) => {
          try {
            return await run(key);
          } catch (error) {
            if (!needsStepUp(error)) throw error;
          }
          if (!(await confirm(subject))) throw new NotSent();
          return run(key);
        });
      } catch (error) {
        if (error instanceof NotSent) return null;
        throw error;
      }
    },
    [confirm, keys],
  );
}
