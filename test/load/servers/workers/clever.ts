import { answerCases } from "../../clever/answers.ts";
import type { Case, Listed } from "../../clever/cases.ts";
import { textCases } from "../../clever/texts.ts";

const CASES: readonly Case[] = [...answerCases, ...textCases];

const listed = (): Listed[] => CASES.map(({ module, what, calls }) => ({ module, what, calls }));

/** Collects results, so that no call can be left out for having no effect. */
let results: unknown = null;

const repeat = async (call: Case["fast"], times: number): Promise<void> => {
  for (let n = 0; n < times; n++) {
    const result = call(n);
    results = result instanceof Promise ? await result : result;
  }
};

export { DocumentWriter } from "../../../../functions/documents/writer.ts";
export { RateLimiter } from "../../../../functions/http/credentials/rate-limit.ts";

/**
 * Runs the service's fast ways beside the plain ones, in the runtime that they are made for. `/` lists them;
 * `/run?at=3&way=fast&times=1000` runs one of them.
 */
export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/run") return Response.json(listed());
    const found = CASES[Number(searchParams.get("at"))];
    if (!found) return new Response(null, { status: 404 });
    await repeat(found[searchParams.get("way") === "fast" ? "fast" : "plain"], Number(searchParams.get("times")));
    return Response.json(results === null);
  },
};
