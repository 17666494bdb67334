import { readAnswer, type Answer } from "./answer.ts";
import { base } from "./script.ts";
import { languageOf } from "./language.ts";
import { isProblem, problem, type LanyapError, type Options, type Settled } from "./options.ts";
import { notice } from "./rare.ts";
import { pause } from "./pause.ts";
import { seenBy } from "./seen.ts";

/** Returns the URL of the request. The public key is a parameter, because a header would cost a preflight. */
const addressOf = (
  { publicKey, placementId }: Options,
  { session: sessionId, attributes, count, locale }: Settled,
): string => {
  const query = new URLSearchParams({ publicKey, placementId, sessionId, count: String(count) });
  const seen = seenBy(sessionId);
  if (seen) query.set("seen", seen);
  // A page may declare any text as its language, and the service would refuse one that is not.
  const language = languageOf(locale);
  if (language) query.set("at.language", language);
  attributes.forEach((value, name) => query.set(name, value));
  return `${base}api/odata?${String(query)}`;
};

const failureOf = async (response: Response): Promise<Error> => {
  const body = (await response.json().catch(() => null)) as { error?: Partial<LanyapError> } | null;
  const { code, message, details } = body?.error ?? {};
  return problem(code ?? `HTTP_${response.status}`, message ?? `the service answered ${response.status}`, details);
};

/** Leaves out the attributes for which the service refused a request. Tells whether there were any. */
const leaveOut = ({ attributes }: Settled, { details }: LanyapError): boolean => {
  const { invalidFields = [] } = Object(details) as { invalidFields?: { field: string }[] };
  return invalidFields.filter(({ field }) => attributes.delete(field)).length > 0;
};

/**
 * Requests offers, once more when the network fails, and once more without the attributes that the service refused. All
 * tries share one time limit.
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
  // Milliseconds are written where they are used: names would cost bytes.
  const timer = setTimeout(stop, options.timeout ?? 8000);
  signal.addEventListener("abort", stop);
  const ask = async (): Promise<Answer & { reason: string }> => {
    const response = await fetch(addressOf(options, settled), { signal: limit.signal, credentials: "omit" });
    if (!response.ok) throw await failureOf(response);
    const body: unknown = await response.json().catch((error: unknown) => {
      if (!(error instanceof SyntaxError)) throw error;
    });
    return { ...readAnswer(body), reason: response.headers.get("x-no-fill-reason") ?? "no_offers" };
  };
  try {
    return await ask()
      .catch((error: unknown) => {
        if (limit.signal.aborted || isProblem(error)) throw error;
        return pause(300).then(ask);
      })
      .catch((error: LanyapError) => {
        if (!leaveOut(settled, error)) throw error;
        notice(options, error);
        return ask();
      });
  } catch (error) {
    if (limit.signal.aborted) throw problem("TIMEOUT", "the service did not answer in time");
    if (isProblem(error)) throw error;
    throw problem("NETWORK", "the service could not be reached");
  } finally {
    clearTimeout(timer);
  }
};
