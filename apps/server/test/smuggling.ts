import { connect } from "node:net";

/** A valid request appended to a malformed one: it is answered only when the first one is parsed wrongly. */
export const BEHIND = "GET /api/hubs HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

/** The head of a login request with additional lines. */
export const post = (...lines: string[]) =>
  ["POST /api/auth/login HTTP/1.1", "host: localhost", "content-type: application/json", ...lines, "", ""].join("\r\n");

/** Requests that HTTP parsers interpret differently, by name (failures.md I11). */
export const smuggled: [string, string][] = [
  ["a length and chunks", `${post("content-length: 5", "transfer-encoding: chunked")}0\r\n\r\n${BEHIND}`],
  ["chunks and a length", `${post("transfer-encoding: chunked", "content-length: 5")}0\r\n\r\n${BEHIND}`],
  ["two lengths", `${post("content-length: 2", "content-length: 40")}{}${BEHIND}`],
  ["two equal lengths", `${post("content-length: 2", "content-length: 2")}{}${BEHIND}`],
  ["two lengths in one line", `${post("content-length: 2, 40")}{}${BEHIND}`],
  ["a length with a sign", `${post("content-length: +2")}{}${BEHIND}`],
  ["a length in hexadecimal", `${post("content-length: 0x2")}{}${BEHIND}`],
  ["a length below nothing", `${post("content-length: -1")}{}${BEHIND}`],
  ["an unknown coding", `${post("transfer-encoding: xchunked")}0\r\n\r\n${BEHIND}`],
  ["chunks that are not last", `${post("transfer-encoding: chunked, identity")}0\r\n\r\n${BEHIND}`],
  ["chunks twice", `${post("transfer-encoding: chunked", "transfer-encoding: identity")}0\r\n\r\n${BEHIND}`],
  ["a space before the colon", `${post("transfer-encoding : chunked")}0\r\n\r\n${BEHIND}`],
  [
    "a header folded over two lines",
    `${post("x-a: 1\r\n transfer-encoding: chunked", "content-length: 2")}{}${BEHIND}`,
  ],
  ["a tab that hides a header", `${post("x-a: 1\r\n\ttransfer-encoding: chunked", "content-length: 2")}{}${BEHIND}`],
  ["lines that end in LF alone", `${post("content-length: 2").replaceAll("\r\n", "\n")}{}${BEHIND}`],
  ["one line that ends in LF alone", `${post("content-length: 2").replace("localhost\r\n", "localhost\n")}{}${BEHIND}`],
  ["lines that end in CR alone", `${post("content-length: 2").replaceAll("\r\n", "\r")}{}${BEHIND}`],
  ["a chunk with an LF alone", `${post("transfer-encoding: chunked")}2\n{}\r\n0\r\n\r\n${BEHIND}`],
  ["a chunk of no length", `${post("transfer-encoding: chunked")}zz\r\n{}\r\n0\r\n\r\n${BEHIND}`],
  ["a chunk longer than it says", `${post("transfer-encoding: chunked")}1\r\n{}\r\n0\r\n\r\n${BEHIND}`],
  ["a chunk that never ends", `${post("transfer-encoding: chunked")}fffffffffffffffff\r\n{}`],
  ["two hosts", `${post("host: elsewhere.example", "content-length: 2")}{}${BEHIND}`],
  ["one host twice", `${post("Host: localhost", "content-length: 2")}{}${BEHIND}`],
  ["a NUL in a header", `${post("x-a: 1\0", "content-length: 2")}{}${BEHIND}`],
  ["no HTTP", `hello\r\n\r\n${BEHIND}`],
  ["an unknown method", `STEAL /api/hubs HTTP/1.1\r\nhost: localhost\r\n\r\n${BEHIND}`],
];

/** Sends bytes unchanged; returns everything received until the server closes. */
export function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(Buffer.from(bytes, "latin1")));
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => (text += part));
    // The server closes after its response; unread bytes make that a reset.
    socket.on("error", (error: Error & { code?: string }) => (error.code === "ECONNRESET" ? undefined : reject(error)));
    socket.on("close", () => resolve(text));
  });
}
