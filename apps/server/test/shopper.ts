import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";

export interface Answer<T = any> {
  status: number;
  body: T;
  headers: LightMyRequestResponse["headers"];
  text: string;
}

/** A browser: keeps its cookies and says that its requests come from our own pages. */
export interface Shopper {
  cookies: Map<string, string>;
  get<T = any>(url: string, headers?: Record<string, string>): Promise<Answer<T>>;
  post<T = any>(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
  put<T = any>(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
  delete<T = any>(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
  /** `name=value; …` as the browser would send it. */
  cookieHeader(): string;
}

export function shopper(app: FastifyInstance): Shopper {
  const cookies = new Map<string, string>();
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const send = async (
    method: InjectOptions["method"],
    url: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const answer = await app.inject({
      method,
      url: url.startsWith("/img") || url.startsWith("//") ? url.replace(/^\/\//, "/") : `/api${url}`,
      headers: {
        "sec-fetch-site": "same-origin",
        ...(cookies.size > 0 && { cookie: cookieHeader() }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    for (const cookie of answer.cookies) {
      if (cookie.value === "" || cookie.maxAge === 0) cookies.delete(cookie.name);
      else cookies.set(cookie.name, cookie.value);
    }
    const isJson = (answer.headers["content-type"] ?? "").includes("json");
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      body: isJson && answer.body ? answer.json() : answer.body,
    };
  };
  return {
    cookies,
    cookieHeader,
    get: (url, headers) => send("GET", url, undefined, headers),
    post: (url, body, headers) => send("POST", url, body, headers),
    put: (url, body, headers) => send("PUT", url, body, headers),
    delete: (url, body, headers) => send("DELETE", url, body, headers),
  };
}
