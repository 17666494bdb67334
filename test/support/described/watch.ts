import type { WorkerFetch } from "../worker-fetch.ts";
import { describedRoutes } from "../../../functions/description/described.ts";
import { operationFor } from "./find.ts";
import { strayHeader } from "./headers.ts";
import { expectedOf, judge } from "./judge.ts";
import { noteExpected, noteSeen } from "./seen.ts";

type Input = Parameters<WorkerFetch>[0];

const addressOf = (input: Input): URL =>
  new URL(typeof input === "object" && "url" in input ? input.url : input, "http://worker");

/**
 * Wraps a fetch so that every answer is checked against the API's description.
 *
 * @throws {Error} from the fetch, for an answer that is not described
 */
export const watched =
  (fetch: WorkerFetch): WorkerFetch =>
  async (input, init = {}) => {
    const answer = await fetch(input, init);
    const method = (init.method ?? "GET").toUpperCase();
    const address = addressOf(input);
    const described = operationFor(method, address.pathname);
    if (!described) return answer;
    const type = (answer.headers.get("content-type") ?? "").replace(/;.*$/, "");
    const text = await answer.clone().text();
    const judged = judge(described, { status: answer.status, type, text }, method === "HEAD");
    const stray = strayHeader(described, answer.status, answer.headers);
    const verdict = "seen" in judged && stray !== null ? { problem: `it has no header ${stray}` } : judged;
    if ("seen" in verdict) {
      noteExpected(() => describedRoutes().flatMap(expectedOf));
      noteSeen(verdict.seen);
      return answer;
    }
    throw new Error(
      `the API's description has no such answer. ${described.route.name}: ${verdict.problem}\n${answer.status} ${text.slice(0, 500)}`,
    );
  };
