import { Agent, request } from "node:http";
import type { Script } from "node:vm";

import type { Randomness } from "../randomness.ts";
import type { Timeline } from "./timeline.ts";

/** How requests of the browser fare. `offline`: none leaves it. */
export type Line = "fine" | "slow" | "lossy" | "hanging" | "offline";

/** A request as the server answered it, whether or not the page received the answer. */
export interface Served {
  tab: number;
  method: string;
  /** Without its query. */
  url: string;
  body: any;
  /** When it was sent, by the timeline. */
  sentAt: number;
  servedAt: number;
  /** The value of the session's cookie that it carried. */
  session: string | null;
  status: number;
  /** The value of the session's cookie that the answer sets. */
  startedSession: string | null;
  answer: any;
}

interface Web {
  timeline: Timeline;
  port: number;
  /** The built code of `apps/web/test/page.tsx`. */
  script: Script;
  /** Choices of the step that runs now. */
  random: () => Randomness;
  onServed: (served: Served) => unknown;
}

/** A page's end of a channel between the pages of a browser. */
export interface Channel {
  name: string;
  deliver: (data: unknown) => void;
}

/** What becomes of a request: its ways in ms, and whether one of them is lost. `isHanging`: the page receives no failure. */
interface Fate {
  there: number;
  back: number;
  isRequestLost?: boolean;
  isAnswerLost?: boolean;
  isHanging?: boolean;
}

export interface Outgoing {
  tab: number;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}
interface Incoming {
  status: number;
  headers: Headers;
  text: string;
}

/** Calls that are served by themselves, so that their effect is known. */
const ALONE = /\/(subscriptions|auth\/login|auth\/register|auth\/guest)/;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const SESSION = "mkt_session";

const sessionIn = (headers: Headers): string | null =>
  headers
    .getSetCookie()
    .map((cookie) => /^mkt_session=([^;]+)/.exec(cookie)?.[1] ?? null)
    .find((value) => value !== null) ?? null;

/** A browser with cookies, storage and channels that its tabs share, and a network with its moods. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly local = new Map<string, string>();
  readonly channels = new Set<Channel>();
  readonly web: Web;
  line: Line = "fine";
  /** Decides about a request in place of the line. */
  decide: ((outgoing: Outgoing) => Fate | undefined) | undefined;
  /** Requests that are on their way to the server, which a concurrent one takes along. */
  private readonly waiting = new Set<() => Promise<void>>();
  /** Requests without an answer yet. */
  pending = 0;
  /** Requests or answers that did not arrive. */
  lost = 0;

  constructor(web: Web) {
    this.web = web;
  }

  session(): string | null {
    return this.cookies.get(SESSION) ?? null;
  }

  /** Sends a request after its way there; the answer arrives after its way back, or never does. */
  fetch(outgoing: Outgoing, isAborted: () => boolean = () => false, mustArrive = false): Promise<Incoming> {
    const { timeline } = this.web;
    const random = this.web.random();
    this.pending += 1;
    const { promise, resolve, reject } = Promise.withResolvers<Incoming>();
    const fail = () => {
      this.pending -= 1;
      reject(new TypeError("Failed to fetch"));
    };
    const decided = this.decide?.(outgoing);
    const fate = decided ?? this.fateOf(mustArrive ? "fine" : this.line);
    if (fate === "offline") {
      timeline.after(1, fail);
      return promise;
    }
    const { there, back, isRequestLost, isAnswerLost, isHanging } = fate;
    const lose = () => {
      this.lost += 1;
      // The page ends it at its deadline.
      if (isHanging) this.pending -= 1;
      else timeline.after(back, fail);
    };
    const sentAt = timeline.now;
    if (isRequestLost) {
      timeline.after(there, lose);
      return promise;
    }
    const serve = async () => {
      const incoming = await this.serve(outgoing, sentAt);
      if (isAnswerLost) return lose();
      timeline.after(back, () => {
        this.pending -= 1;
        if (isAborted()) return undefined;
        this.store(incoming.headers);
        resolve(incoming);
      });
    };
    const isConcurrent = random.chance(0.3);
    const isAlone = decided !== undefined || ALONE.test(outgoing.url);
    const arrive = async () => {
      this.waiting.delete(arrive);
      timeline.cancel(id);
      await serve();
    };
    const id = timeline.after(there, async () => {
      const others = isConcurrent && !isAlone ? [...this.waiting].filter((each) => each !== arrive) : [];
      await Promise.all([arrive, ...others].map((each) => each()));
    });
    if (!isAlone) this.waiting.add(arrive);
    return promise;
  }

  private fateOf(line: Line): Fate | "offline" {
    const random = this.web.random();
    if (line === "offline") return line;
    const way = () => (line === "slow" ? random.between(20, 3000) : random.between(5, 60));
    const isLost = (chance: number) => (line === "lossy" || line === "hanging") && random.chance(chance);
    return {
      there: way(),
      back: way(),
      isRequestLost: isLost(0.25),
      isAnswerLost: isLost(0.3),
      isHanging: line === "hanging",
    };
  }

  private async serve({ tab, method, url, headers, body }: Outgoing, sentAt: number): Promise<Incoming> {
    const session = this.session();
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const incoming = await new Promise<Incoming>((resolve, reject) => {
      const sent = request(
        {
          port: this.web.port,
          host: "127.0.0.1",
          agent,
          method,
          path: url,
          headers: {
            ...headers,
            ...(body !== null && { "content-length": String(Buffer.byteLength(body)) }),
            host: "localhost:80",
            "sec-fetch-site": "same-origin",
            "accept-encoding": "identity",
            ...(cookie && { cookie }),
          },
        },
        (response) => {
          const answered = new Headers();
          for (const [name, value] of Object.entries(response.headers))
            for (const each of [value ?? []].flat()) answered.append(name, each);
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (part: string) => (text += part));
          response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: answered, text }));
        },
      );
      sent.on("error", reject);
      sent.end(body ?? undefined);
    });
    const isJson = incoming.headers.get("content-type")?.includes("json") ?? false;
    await this.web.onServed({
      tab,
      method,
      url: url.replace(/\?.*/, ""),
      body: body === null ? null : JSON.parse(body),
      sentAt,
      servedAt: this.web.timeline.now,
      session,
      status: incoming.status,
      startedSession: sessionIn(incoming.headers),
      answer: isJson && incoming.text ? JSON.parse(incoming.text) : incoming.text,
    });
    return incoming;
  }

  private store(headers: Headers): void {
    for (const cookie of headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (value === "" || /;\s*max-age=0(;|$)/i.test(cookie)) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
  }
}
