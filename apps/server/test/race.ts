import { connect, type Socket } from "node:net";

/** A request sent over a raw socket. */
export interface RawRequest {
  port: number;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** With `/api`. */
  path: string;
  body?: unknown;
  cookie?: string;
  headers?: Record<string, string>;
}
export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: any;
}

const bytesOf = ({ method, path, body, cookie, headers = {} }: RawRequest): Buffer => {
  const payload = body === undefined ? "" : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "host: localhost",
    "connection: close",
    "sec-fetch-site: same-origin",
    ...(cookie ? [`cookie: ${cookie}`] : []),
    ...(body === undefined ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(payload)}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${payload}`);
};

function dechunk(text: string): string {
  let rest = text;
  let whole = "";
  for (;;) {
    const end = rest.indexOf("\r\n");
    const size = Number.parseInt(rest.slice(0, end), 16);
    if (!size) return whole;
    whole += rest.slice(end + 2, end + 2 + size);
    rest = rest.slice(end + 4 + size);
  }
}

function parse(text: string): RawResponse {
  const split = text.indexOf("\r\n\r\n");
  const [status = "", ...lines] = text.slice(0, split).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const raw = headers["transfer-encoding"] === "chunked" ? dechunk(text.slice(split + 4)) : text.slice(split + 4);
  return {
    status: Number(status.split(" ")[1]),
    headers,
    body: headers["content-type"]?.includes("json") ? JSON.parse(raw) : raw,
  };
}

const readResponse = (socket: Socket): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    socket.on("data", (part) => parts.push(part));
    // A server that dies closes its connections normally or with a reset.
    const cut = /^(ECONNRESET|EPIPE)$/;
    let broken: NodeJS.ErrnoException | undefined;
    socket.on("error", (error) => (broken = error));
    socket.on("close", () => {
      const text = Buffer.concat(parts).toString("utf8");
      if (broken && !cut.test(broken.code ?? "")) reject(broken);
      else if (broken || text === "") reject(new Error("the connection was cut without an answer", { cause: broken }));
      else resolve(parse(text));
    });
  });

/** Sends a request on a separate socket; rejects when the server dies before it responds. */
export async function send(request: RawRequest): Promise<RawResponse> {
  const socket = connect(request.port, "127.0.0.1");
  const response = readResponse(socket);
  socket.write(bytesOf(request));
  return response;
}

/**
 * Sends all requests up to their last byte, then all last bytes in one tick: the server receives them together (the HTTP/1.1
 * form of a single-packet attack). Requests of less than two bytes of body send the end of their headers last.
 * `onResponse` is called for each response.
 */
export async function race(
  requests: readonly RawRequest[],
  onResponse: () => void = () => undefined,
): Promise<PromiseSettledResult<RawResponse>[]> {
  const sockets = await Promise.all(
    requests.map(
      (request) =>
        new Promise<{ socket: Socket; last: Buffer; pending: Promise<RawResponse> }>((resolve, reject) => {
          const socket = connect(request.port, "127.0.0.1", () => {
            const bytes = bytesOf(request);
            socket.setNoDelay(true);
            socket.write(bytes.subarray(0, -1), () =>
              resolve({ socket, last: bytes.subarray(-1), pending: readResponse(socket) }),
            );
          });
          socket.once("error", reject);
        }),
    ),
  );
  for (const { socket, last } of sockets) socket.write(last);
  return Promise.allSettled(
    sockets.map(async ({ pending }) => {
      const response = await pending;
      onResponse();
      return response;
    }),
  );
}
