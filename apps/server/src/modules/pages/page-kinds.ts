import type { Boot } from "@marketday/contracts/boot";
import type { FastifyRequest } from "fastify";

import { AppError } from "../../lib/app-error.ts";
import { notFoundHead } from "./meta-tags.ts";
import type { PageHead } from "./shell.ts";
import type { StaticPage } from "./static-pages.ts";

export interface RenderedPage {
  head: PageHead;
  boot: Boot;
}
/** Renders the page of a route: a head, or a head with more preloaded state. */
export type Page = (
  request: FastifyRequest,
  boot: Boot,
  base: string,
) => PageHead | Promise<RenderedPage> | RenderedPage;

/** A page of one row; the 404 page if it is not found. */
export const pageOrNotFound =
  (show: (request: FastifyRequest, boot: Boot, base: string) => Promise<PageHead>): Page =>
  async (request, boot, base) => {
    try {
      return { head: await show(request, boot, base), boot };
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return { head: notFoundHead(boot), boot };
      throw error;
    }
  };

/** A static page; the 404 page if it is not found. */
export const staticPage =
  (show: (request: FastifyRequest, boot: Boot, base: string) => Promise<StaticPage>): Page =>
  async (request, boot, base) => {
    try {
      const { head, words } = await show(request, boot, base);
      return { head, boot: { ...boot, words } };
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return { head: notFoundHead(boot), boot };
      throw error;
    }
  };

/** The page number of `?page=`; 1 if it is no positive integer. */
export function pageNumberOf(request: FastifyRequest): number {
  const page = Number((request.query as { page?: string }).page ?? 1);
  return Number.isSafeInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1;
}

/** `feed`: the page is an overlay of the shop. */
export type PagesByUrl = Record<string, { feed: boolean; page: Page }>;

export const isRendered = (value: PageHead | RenderedPage): value is RenderedPage => "boot" in value;
