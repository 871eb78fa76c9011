import type { FastifyInstance } from "fastify";
import request, { type Response } from "supertest";

export interface Answer<T = any> {
  status: number;
  body: T;
  headers: Record<string, string>;
  text: string;
}

/** A browser that stores cookies and sends same-origin requests. */
export interface Shopper {
  cookies: Map<string, string>;
  get<T = any>(url: string, headers?: Record<string, string>): Promise<Answer<T>>;
  post<T = any>(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
  put<T = any>(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
  delete<T = any>(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
  /** The `cookie` header: `name=value; …`. */
  cookieHeader(): string;
}

/** Collects a response body as text, without parsing it by its type. */
function readText(response: Response, done: (error: Error | null, text: string) => void): void {
  let text = "";
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => (text += chunk));
  response.on("end", () => done(null, text));
}

/** A browser that sends real HTTP requests to a listening app. */
export function shopper(app: FastifyInstance): Shopper {
  const cookies = new Map<string, string>();
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const send = async (
    method: "get" | "post" | "put" | "delete",
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const path = url.startsWith("/img") || url.startsWith("//") ? url.replace(/^\/\//, "/") : `/api${url}`;
    const http = request(app.server);
    const response = await http[method](path)
      .set({
        host: "localhost:80",
        "accept-encoding": "identity",
        "sec-fetch-site": "same-origin",
        ...(cookies.size > 0 && { cookie: cookieHeader() }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      })
      .buffer(true)
      .parse(readText as never)
      .send(body === undefined || typeof body === "string" ? body : JSON.stringify(body));
    for (const cookie of ([] as string[]).concat(response.headers["set-cookie"] ?? [])) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (value === "" || /;\s*max-age=0(;|$)/i.test(cookie)) cookies.delete(name!);
      else cookies.set(name!, decodeURIComponent(value!));
    }
    const text: string = response.body ?? "";
    const isJson = (response.headers["content-type"] ?? "").includes("json");
    return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : text };
  };
  return {
    cookies,
    cookieHeader,
    get: (url, headers) => send("get", url, undefined, headers),
    post: (url, body, headers) => send("post", url, body, headers),
    put: (url, body, headers) => send("put", url, body, headers),
    delete: (url, body, headers) => send("delete", url, body, headers),
  };
}
