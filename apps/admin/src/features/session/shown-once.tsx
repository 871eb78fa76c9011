import { messageOf } from "@marketday/client/messages.ts";
import { toast } from "@marketday/ui/toast-store.ts";
import {
  createContext,
  Fragment,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";

interface Secret {
  id: number;
  render: (onDone: () => void) => ReactNode;
}

interface ShownOnce {
  /** Shows a secret in the dialog that `render` returns, over any screen, until it calls `onDone`. */
  show: (render: Secret["render"]) => void;
  /** A secret is on screen. */
  isShown: boolean;
}

const ShownOnceContext = createContext<ShownOnce | null>(null);
let lastId = 0;

/**
 * Holds what the server returns only once: new API keys and recovery codes. Around all screens, so that neither the browser's Back nor
 * an answer that comes after the screen was left loses it.
 */
export function ShownOnceProvider({ children }: { children: ReactNode }) {
  const [secrets, setSecrets] = useState<readonly Secret[]>([]);
  const show = useCallback((render: Secret["render"]) => {
    lastId += 1;
    const secret = { id: lastId, render };
    setSecrets((before) => [...before, secret]);
  }, []);
  const isShown = secrets.length > 0;
  const value = useMemo(() => ({ show, isShown }), [show, isShown]);
  return (
    <ShownOnceContext value={value}>
      {children}
      {secrets.map(({ id, render }) => (
        <Fragment key={id}>{render(() => setSecrets((before) => before.filter((each) => each.id !== id)))}</Fragment>
      ))}
    </ShownOnceContext>
  );
}

/**
 * Runs what creates a secret. A failure after the form was left is a toast, because the form shows it no more. Throws what `run` throws.
 */
export function useToastOnceLeft(): <T>(run: () => Promise<T>, wording?: (error: unknown) => string) => Promise<T> {
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  return async (run, wording = messageOf) => {
    try {
      return await run();
    } catch (error) {
      if (isLeft.current) toast({ text: wording(error), tone: "error" });
      throw error;
    }
  };
}

/** Shows secrets once, and whether one is on screen. */
export function useShownOnce(): ShownOnce {
  const value = useContext(ShownOnceContext);
  if (!value) throw new Error("useShownOnce belongs inside a <ShownOnceProvider>.");
  return value;
}
