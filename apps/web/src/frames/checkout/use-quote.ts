import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/calls";
import type { Quote } from "@marketday/contracts/checkout";
import { useCallback, useEffect, useRef, useState } from "react";

import { call } from "../../lib/api.ts";
import type { QuoteBody } from "./draft.ts";

/** ms after the last change. */
const PAUSE = 250;

interface Quoting {
  /** The newest price; the one before while a new one is on its way. */
  quote: Quote | null;
  error: ApiError | null;
  /** The quote is not for what is chosen now. */
  stale: boolean;
  /** Prices the same choice again. */
  refresh: () => void;
  /** Takes a quote that came with a refusal: it is for what is chosen now. */
  accept: (quote: Quote) => void;
}

/** The price of a choice, refetched with every change; a response for an older choice is ignored. */
export function useQuote(body: QuoteBody | null): Quoting {
  const wanted = body && JSON.stringify(body);
  const [turn, setTurn] = useState(0);
  const [answer, setAnswer] = useState<{ quote: Quote | null; error: ApiError | null; of: string | null }>({
    quote: null,
    error: null,
    of: null,
  });
  const accepted = useRef<string | null>(null);

  useEffect(() => {
    if (wanted === null) return;
    const about = `${turn} ${wanted}`;
    if (accepted.current === about) return;
    const stop = new AbortController();
    const timer = setTimeout(
      () => {
        call(calls.quoteCheckout, { body: JSON.parse(wanted) as QuoteBody }, { signal: stop.signal }).then(
          (quote) => !stop.signal.aborted && setAnswer({ quote, error: null, of: about }),
          (error: unknown) => {
            if (stop.signal.aborted) return;
            const known = error instanceof ApiError ? error : new ApiError(String(error), { status: 500 });
            setAnswer(({ quote }) => ({ quote, error: known, of: about }));
          },
        );
      },
      turn === 0 && answer.of === null ? 0 : PAUSE,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
    // The answer only decides how long the first one waits.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted, turn]);

  const refresh = useCallback(() => setTurn((before) => before + 1), []);
  const accept = useCallback(
    (quote: Quote) => {
      const of = `${turn} ${wanted ?? ""}`;
      accepted.current = of;
      setAnswer({ quote, error: null, of });
    },
    [turn, wanted],
  );
  return { quote: answer.quote, error: answer.error, stale: answer.of !== `${turn} ${wanted ?? ""}`, refresh, accept };
}
