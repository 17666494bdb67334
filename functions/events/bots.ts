import { isbot } from "isbot";

/** Libraries with which native apps and shop servers call tracking URLs; isbot takes them for bots. */
const HTTP_CLIENT =
  /^(?:aiohttp|apache-httpclient|axios|curl|dart|go-http-client|got|guzzlehttp|httpie|insomnia|java|k6|libcurl|node|node-fetch|okhttp|php|postmanruntime|python|python-httpx|python-requests|ruby|undici|wget)(?:[/\s(]|$)/i;

/** Tells whether a user agent names a crawler or another automaton, whose hits are kept but not counted. */
export const isBot = (userAgent: string | undefined): boolean =>
  userAgent !== undefined && isbot(userAgent) && !HTTP_CLIENT.test(userAgent);
