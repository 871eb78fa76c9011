import type { ServerResponse } from "node:http";

import type { Plugin } from "vite";

const BOOT = /<script type="application\/json" id="boot">[\s\S]*?<\/script>/;
/** Of the answer that was on the wire; the body here is unpacked. */
const ON_THE_WIRE = new Set(["content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"]);

/** Hands on an answer that is none of the app's pages: a redirect, a vendor's answer page, a list of mails. */
function handOn(answer: Response, body: Buffer, response: ServerResponse): void {
  response.statusCode = answer.status;
  answer.headers.forEach((value, name) => {
    if (name !== "set-cookie" && !ON_THE_WIRE.has(name)) response.setHeader(name, value);
  });
  response.end(body);
}

/**
 * In development the page comes from Vite, so the data the server would have rendered into it is fetched from the same
 * URL of the running server, with the browser's cookies, and put in its place; what the server answers without such data
 * is handed on as it is. Frames (`/embed/…`) have a page of their own. Without a server the page starts empty.
 */
export function bootFromServer(server: string): Plugin {
  const answers = new Map<string, string>();
  return {
    name: "marketday:boot-from-server",
    apply: "serve",
    configureServer(vite) {
      vite.middlewares.use((request, response, next) => {
        const url = request.originalUrl ?? "/";
        if (request.method !== "GET" || !request.headers.accept?.includes("text/html")) return next();
        const proceed = () => {
          if (url.startsWith("/embed/")) request.url = "/embed.html";
          next();
        };
        fetch(server + url, {
          headers: { accept: "text/html", cookie: request.headers.cookie ?? "" },
          redirect: "manual",
        })
          .then(async (answer) => {
            const body = Buffer.from(await answer.arrayBuffer());
            const cookies = answer.headers.getSetCookie();
            if (cookies.length > 0) response.setHeader("set-cookie", cookies);
            const boot = BOOT.exec(body.toString());
            if (!boot) return handOn(answer, body, response);
            answers.set(url, boot[0]);
            return proceed();
          })
          .catch(() => {
            answers.delete(url);
            proceed();
          });
      });
    },
    transformIndexHtml(html, context) {
      const boot = answers.get(context.originalUrl ?? "");
      return boot ? html.replace("<!--boot-->", () => boot) : html;
    },
  };
}
