import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { factory } from "../../functions/http/factory.ts";
import { ApiError } from "../../functions/http/errors.ts";
import { openToPages } from "../../functions/http/open.ts";
import { SETTINGS } from "../support/secrets.ts";
import { openByMiddleware } from "../support/naive/answers.ts";

const { open, prepare } = openToPages({ methods: ["GET"], exposed: ["x-reason"], headers: { "x-more": "1" } });
const answerYes = prepare({ headers: { "Content-Type": "text/plain" } });

/** Asks an app with one open endpoint. */
const ask = (handle: Parameters<typeof open>[0]): Response | Promise<Response> =>
  factory.createApp().get("/", open(handle)).fetch(new Request("https://offers.example/"), SETTINGS);

const traced = (id = "req_1") => new Request("https://offers.example/", { headers: { "x-request-id": id } });

/** Tells all of an answer that a page can see. */
const seen = async (answer: Response | Promise<Response>) => {
  const response = await answer;
  return [response.status, Object.fromEntries(response.headers), await response.text()];
};

describe("an endpoint open to pages", () => {
  it("answers as one that middleware opens, whatever its handler does", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const names = fc.constantFrom("x-one", "x-two", "x-three");
    const outcomes = fc.constantFrom<"answer" | "refuse" | "fail">("answer", "refuse", "fail");
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(names, fc.constantFrom("", "1", "a b")),
        outcomes,
        fc.boolean(),
        async (headers, outcome, late) => {
          const given = { methods: ["GET"], exposed: ["x-reason", "x-request-id"], headers };
          const opening = openToPages(given);
          const act = (made: () => Response): Response => {
            if (outcome === "refuse") throw new ApiError("NOT_FOUND", "no", { details: { placementId: "plc_1" } });
            if (outcome === "fail") throw new TypeError("broken");
            return made();
          };
          const answer = opening.prepare({ headers: { "Content-Type": "text/plain" } });
          const wrapped = factory.createApp().get(
            "/",
            opening.open((c) => {
              const run = () => act(() => answer(c, "yes"));
              return late ? Promise.resolve().then(run) : run();
            }),
          );
          const plain = openByMiddleware(given.exposed, headers);
          plain.get("/", async () => act(() => new Response("yes", { headers: { "Content-Type": "text/plain" } })));
          expect(await seen(wrapped.fetch(traced(), SETTINGS))).toEqual(await seen(plain.fetch(traced(), SETTINGS)));
        },
      ),
    );
    vi.restoreAllMocks();
  });

  it("answers at once what waits for nothing", () => {
    expect(ask((c) => answerYes(c, "yes"))).toBeInstanceOf(Response);
  });

  it("gives each answer headers of its own, whatever others of its form get before or after", async () => {
    const answerAgain = prepare({ status: 202, headers: { "x-kind": "again" }, explains: true });
    const app = factory.createApp();
    app.get(
      "/",
      open((c) => {
        const answer = answerAgain(c, "yes");
        if (c.get("requestId") === "first") answer.headers.set("x-only", "first");
        return answer;
      }),
    );
    const [first, second] = [await app.fetch(traced("first"), SETTINGS), await app.fetch(traced("second"), SETTINGS)];
    expect([first.status, second.status]).toEqual([202, 202]);
    const common = {
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "x-reason",
      "cache-control": "no-store",
      "content-type": "text/plain;charset=UTF-8",
      "x-kind": "again",
      "x-more": "1",
    };
    expect(Object.fromEntries(first.headers)).toEqual({ ...common, "x-request-id": "first", "x-only": "first" });
    expect(Object.fromEntries(second.headers)).toEqual({ ...common, "x-request-id": "second" });
  });

  it.each<[string, Parameters<typeof open>[0], number]>([
    ["what is answered at once", (c) => answerYes(c, "yes"), 200],
    ["what is answered later", async (c) => answerYes(c, "yes"), 200],
    [
      "what is refused at once",
      () => {
        throw new ApiError("UNAUTHORIZED", "no");
      },
      401,
    ],
    ["what is refused later", () => Promise.reject(new ApiError("UNAUTHORIZED", "no")), 401],
    ["what fails", () => Promise.reject(new TypeError("broken")), 500],
    ["what fails without an error", () => Promise.reject("jo@shop.example"), 500],
    ["what fails with nothing to show", () => Promise.reject(Object.create(null)), 500],
  ])("opens %s", async (_, handle, status) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { status: answered, headers } = await ask(handle);
    expect(log).toHaveBeenCalledTimes(status === 500 ? 1 : 0);
    expect(log.mock.calls.join()).not.toContain("@");
    log.mockRestore();
    expect(answered).toBe(status);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toBe(status === 200 ? null : "x-reason");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-more")).toBe("1");
    expect(headers.get("x-request-id")).toMatch(/^req_/);
  });
});
