import { readAnswer, type Answer } from "./answer.ts";
import { base } from "./script.ts";
import { languageOf } from "./language.ts";
import { isProblem, problem, type LanyapError, type Options, type Settled } from "./options.ts";
import { pause } from "./pause.ts";
import { seenBy } from "./seen.ts";

/** Returns the URL of the request. The public key is a parameter, because a header would cost a preflight. */
const addressOf = (
  { publicKey, placementId }: Options,
  { session: sessionId, attributes, count, locale }: Settled,
): string => {
  const query = new URLSearchParams({ publicKey, placementId, sessionId });
  const seen = seenBy(sessionId);
  if (seen) query.set("seen", seen);
  if (count) query.set("count", String(count));
  // A page may declare any text as its language, and the service would refuse one that is not.
  const language = languageOf(locale);
  if (language) query.set("at.language", language);
  attributes.forEach((value, name) => query.set(name, value));
  return `${base}api/odata?${query.toString()}`;
};

const failureOf = async (response: Response): Promise<Error> => {
  const body = (await response.json().catch(() => null)) as { error?: Partial<LanyapError> } | null;
  const { code, message, details } = body?.error ?? {};
  return problem(code ?? `HTTP_${response.status}`, message ?? `the service answered ${response.status}`, details);
};

/**
 * Requests offers, and tries once more when the network fails. Both tries share one time limit.
 *
 * @throws {LanyapError} `NETWORK`, `TIMEOUT`, `MALFORMED`, or the code of the service's own error
 */
export const askOffers = async (
  options: Options,
  settled: Settled,
  signal: AbortSignal,
): Promise<Answer & { reason: string }> => {
  const limit = new AbortController();
  const stop = () => limit.abort();
  // Milliseconds stand where they are used: names would cost bytes.
  const timer = setTimeout(stop, options.timeout ?? 8000);
  signal.addEventListener("abort", stop);
  const ask = async (): Promise<Answer & { reason: string }> => {
    const response = await fetch(addressOf(options, settled), { signal: limit.signal, credentials: "omit" });
    if (!response.ok) throw await failureOf(response);
    const body: unknown = await response.json().catch((error: unknown) => {
      throw error instanceof SyntaxError ? problem("MALFORMED", "the answer is not JSON") : error;
    });
    const answer = readAnswer(body);
    if (!answer) throw problem("MALFORMED", "the answer has no offers");
    return { ...answer, reason: response.headers.get("x-no-fill-reason") ?? "no_offers" };
  };
  const retry = (error: unknown): Promise<Answer & { reason: string }> => {
    if (limit.signal.aborted || isProblem(error)) throw error;
    return pause(300).then(ask);
  };
  try {
    return await ask().catch(retry);
  } catch (error) {
    if (limit.signal.aborted) throw problem("TIMEOUT", "the service did not answer in time");
    if (isProblem(error)) throw error;
    throw problem("NETWORK", "the service could not be reached");
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
};
