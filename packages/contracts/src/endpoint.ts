import type { z } from "zod";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** What a call takes and gives. Request schemas forgive (unknown keys are dropped), response schemas promise. */
export interface EndpointSchema {
  params?: z.ZodType;
  querystring?: z.ZodType;
  body?: z.ZodType;
  /** By status. Errors share one form (`common.ts` ErrorBody) and are added by the server for every route. */
  response: Record<number, z.ZodType>;
  summary?: string;
  tags?: string[];
}

/**
 * A route without its handler: the server does `app.route({ ...getCart, handler })`, the web
 * `call(getCart, input)`; both infer from this one object.
 * `url` is below `/api` and in Fastify's form (`/hubs/:id/details`).
 */
export interface Endpoint {
  method: Method;
  url: string;
  schema: EndpointSchema;
}

/** Declares an endpoint, keeping its literal types. */
export const endpoint = <const M extends Method, const U extends string, S extends EndpointSchema>(definition: {
  method: M;
  url: U;
  schema: S;
}) => definition;

type InputPart<E extends Endpoint, K extends "params" | "querystring" | "body"> = E["schema"][K] extends z.ZodType
  ? { [P in K]: z.input<E["schema"][K]> }
  : unknown;

/** What a caller gives: `params`, `querystring` and `body` where the endpoint has them. */
export type Input<E extends Endpoint> = InputPart<E, "params"> & InputPart<E, "querystring"> & InputPart<E, "body">;

/** What a caller gets: the union of the answers below 300. */
export type Output<E extends Endpoint> = {
  [S in keyof E["schema"]["response"]]: S extends 200 | 201 | 202 ? z.output<E["schema"]["response"][S]> : never;
}[keyof E["schema"]["response"]];

/**
 * The part of an endpoint the browser needs at run time. `calls.ts` holds one for every endpoint, so that no
 * schema (and no zod) reaches the first bundle; the types still come from the endpoint.
 */
export interface Call<E extends Endpoint = Endpoint> {
  method: E["method"];
  url: E["url"];
  /** Only for inference. */
  endpoint?: E;
}
