import { createServer } from "node:net";

/** A port that cannot be listened on; the message is one sentence for people. */
export class PortError extends Error {}

/** The sentence for an error of `listen`, or undefined when it is about something else. */
export function portSentence(error: unknown, host: string, port: number): string | undefined {
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is taken by another program: stop that one, or set PORT to a free port.`;
    case "EACCES":
      return `Port ${port} on ${host} needs more rights than this user has: set PORT to one above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `HOST is ${host}, which is not an address of this machine.`;
    default:
      return undefined;
  }
}

/** Checks that a port is free before anything else is started. @throws PortError */
export async function requirePort(host: string, port: number): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (error) => {
      const sentence = portSentence(error, host, port);
      reject(sentence ? new PortError(sentence, { cause: error }) : error);
    });
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });
}
