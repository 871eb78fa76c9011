import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";

/** An event of a stream, or its end. */
type Received = { event: string; data: unknown } | { end: true };

interface OpenStream {
  status: number;
  headers: IncomingHttpHeaders;
  /** Everything received so far. */
  received: Received[];
  /** The text as it came. */
  text(): string;
  /** Resolves when the stream has ended. */
  ended: Promise<void>;
  close(): void;
}

/** Opens `GET /api/admin/events` as a page with this cookie, on a separate connection. */
export async function openStream(
  port: number,
  cookie: string,
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  const sent = request({
    port,
    host: "127.0.0.1",
    path: "/api/admin/events",
    headers: { ...headers, ...(cookie && { cookie }) },
    agent: false,
  }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const received: Received[] = [];
  const ended = Promise.withResolvers<void>();
  let text = "";
  let parsed = 0;
  response.setEncoding("utf8").on("data", (part: string) => {
    text += part;
    for (let end = text.indexOf("\n\n", parsed); end >= 0; end = text.indexOf("\n\n", parsed)) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(parsed, end)) ?? [];
      if (event !== undefined) received.push({ event, data: JSON.parse(data!) });
      parsed = end + 2;
    }
  });
  response.on("error", () => undefined);
  response.on("close", () => {
    received.push({ end: true });
    ended.resolve();
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    received,
    text: () => text,
    ended: ended.promise,
    close: () => void sent.destroy(),
  };
}
