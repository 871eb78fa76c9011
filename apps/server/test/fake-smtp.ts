import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

import { atEnd, quietPort } from "@marketday/db/testing";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/**
 * Behavior after the text of a mail. `take`: accepts it. `hang`: never responds. `busy`: 451. `drop`: accepts it but closes the
 * connection before the response. `full`: 552 for one address (`fakeSmtp.fullBox`).
 */
type SmtpMode = "take" | "hang" | "busy" | "drop" | "full";

export interface FakeSmtp {
  url: string;
  mode: SmtpMode;
  fullBox: string;
  /** Accepted mails, in order. */
  taken: Email[];
  /** Number of connections so far. */
  calls: number;
  /** Stops listening: connections are refused. */
  down(): Promise<void>;
  up(): Promise<void>;
}

/** A mail server with failures (docs/failures.md). Its port stays the same while it is down. Closed at the end of the test or file. */
export async function fakeSmtp(): Promise<FakeSmtp> {
  const sockets = new Set<Socket>();
  let server: SMTPServer | undefined;
  const port = await quietPort();

  const listen = async () => {
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      closeTimeout: 1,
      onConnect: (_session, done) => {
        fake.calls += 1;
        done();
      },
      onData(stream, session, done) {
        const parts: Buffer[] = [];
        stream.on("data", (part: Buffer) => parts.push(part));
        stream.on("end", () => {
          const reject = (code: number, text: string) => done(Object.assign(new Error(text), { responseCode: code }));
          if (fake.mode === "hang") return;
          if (fake.mode === "busy") return reject(451, "try again later");
          if (fake.mode === "full" && session.envelope.rcptTo.some(({ address }) => address === fake.fullBox))
            return reject(552, "mailbox full");
          void PostalMime.parse(Buffer.concat(parts)).then((mail) => {
            fake.taken.push(mail);
            if (fake.mode === "drop") for (const socket of sockets) socket.destroy();
            else done();
          });
        });
      },
    });
    smtp.server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    // Connections that we close cause errors.
    smtp.on("error", () => undefined);
    smtp.listen(port, "127.0.0.1");
    await once(smtp.server, "listening");
    server = smtp;
  };
  const fake: FakeSmtp = {
    url: "",
    mode: "take",
    fullBox: "",
    taken: [],
    calls: 0,
    async down() {
      const closing = server;
      server = undefined;
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => (closing ? closing.close(() => resolve()) : resolve()));
    },
    up: listen,
  };
  await listen();
  fake.url = `smtp://127.0.0.1:${port}`;
  atEnd(() => fake.down());
  return fake;
}

/** A port that accepts connections and never responds. */
export async function silentPort(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
