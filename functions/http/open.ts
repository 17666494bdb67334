import type { Context } from "hono";
import { cors } from "hono/cors";
import { factory, type AppEnv } from "./factory.ts";
import { errorResponse, type Declaration } from "./errors.ts";
import { identify, REQUEST_ID } from "./headers.ts";
import { requireSettings } from "./safe-settings.ts";

/**
 * Lists the methods and request headers that pages may use (all headers if none are named), the response headers that
 * they may read when an answer reports a problem, and further headers for every answer.
 */
type Opening = { methods: string[]; allowed?: string[]; exposed: string[]; headers?: Record<string, string> };

/**
 * Holds what answers of one form have in common. With `explains`, pages may read the headers that say what was wrong.
 */
type Form = { status?: number; headers?: Record<string, string>; explains?: boolean };

type Handle = (c: Context<AppEnv>) => Response | Promise<Response>;

/**
 * Declares that these endpoints answer failures with 500, even where others answer 503: pages and their customers
 * cannot try again later.
 */
const DECLARATION: Declaration = { shape: "B", unavailable: "INTERNAL_SERVER_ERROR" };

/**
 * Opens endpoints to the pages of every shop, and keeps their answers, errors included, out of all caches.
 *
 * @returns `preflight`, which answers OPTIONS; `open`, which wraps a handler that answers by `prepare` or throws; and
 *   `prepare`, which makes a function that answers in one form, with no more headers than needed, since each one makes
 *   an answer 2 % slower
 */
export const openToPages = ({ methods, allowed = [], exposed, headers = {} }: Opening) => {
  const constant = { "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store", ...headers };
  const explaining = { ...constant, "Access-Control-Expose-Headers": exposed.join(",") };
  const prepare = ({ status = 200, headers: own = {}, explains = false }: Form) => {
    // These are made once: copying them costs an answer a third less than setting each header from text.
    const form = { status, headers: new Headers({ ...(explains ? explaining : constant), ...own }) };
    return (c: Context<AppEnv>, body: BodyInit | null): Response => {
      form.headers.set(REQUEST_ID, c.get("requestId"));
      return new Response(body, form);
    };
  };
  const answerPreflight = cors({
    origin: "*",
    allowMethods: methods,
    allowHeaders: allowed,
    maxAge: 7200,
  });
  return {
    preflight: factory.createMiddleware((c, next) => {
      c.header(REQUEST_ID, identify(c));
      requireSettings(c);
      return answerPreflight(c, next);
    }),
    // This is a wrapper, not middleware, so that an answer that waits for nothing needs no promise, which is 4 %
    // cheaper.
    open:
      (handle: Handle): Handle =>
      (c) => {
        const fail = (thrown: unknown): Response => {
          const response = errorResponse(thrown, c, DECLARATION);
          const all = { ...explaining, [REQUEST_ID]: c.get("requestId") };
          for (const [name, value] of Object.entries(all)) response.headers.set(name, value);
          return response;
        };
        identify(c);
        try {
          requireSettings(c);
          const answer = handle(c);
          return answer instanceof Promise ? answer.catch(fail) : answer;
        } catch (error) {
          return fail(error);
        }
      },
    prepare,
  };
};
