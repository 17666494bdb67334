import { describe, expect, it } from "vitest";
import { breakingChanges, unannounced } from "../../functions/description/check/breaking.ts";

const change = (path: string, more: Partial<{ kind: string; impact: string; message: string }> = {}) => {
  const { kind = "modified", impact = "major", message = "It changed." } = more;
  return { path, kind, impact, verdicts: impact === "patch" ? [] : [{ message, impact }] };
};

const changelog = (unreleased: string, released = "") =>
  `# Changelog\n\n## Unreleased\n\n${unreleased}\n\n## 1.0.0\n\n${released}\n`;

describe("breaking changes", () => {
  it("are those that Redocly rates so, by their endpoint", () => {
    const report = {
      changes: [
        change("#/paths/~1api~1site~1{id}/put/responses/200/content/application~1json/schema"),
        change("#/paths/~1api~1v1~1audit", { kind: "removed", message: "Path `/api/v1/audit` was removed." }),
        change("#/paths/~1api~1site/get/parameters/query/take", { impact: "patch" }),
      ],
    };
    expect(breakingChanges(report)).toEqual([
      { endpoint: "PUT /api/site/:id", what: "It changed." },
      { endpoint: "/api/v1/audit", what: "Path `/api/v1/audit` was removed." },
    ]);
  });

  it("are also members that a body no longer has, since what is not known is refused", () => {
    const path = "#/paths/~1api~1site/post/requestBody/content/application~1json/schema/properties/domain";
    expect(breakingChanges({ changes: [change(path, { kind: "removed", impact: "patch" })] })).toEqual([
      { endpoint: "POST /api/site", what: "A body lost domain." },
    ]);
  });
});

describe("the changelog", () => {
  const changes = [{ endpoint: "PUT /api/site/:id", what: "It changed." }];

  it.each([
    [changelog("- [`PUT /api/site/:id`](x) answers less."), []],
    [changelog("- Nothing."), ["PUT /api/site/:id: It changed."]],
    [changelog("- `PUT /api/site/:id/status` differs."), ["PUT /api/site/:id: It changed."]],
    [changelog("- Nothing.", "- `PUT /api/site/:id` differs."), ["PUT /api/site/:id: It changed."]],
    ["## Unreleased\n\n- `PUT /api/site/:id` differs.\n", []],
  ])("announces a change where it names the endpoint among what is not released: %j", (text, left) => {
    expect(unannounced(changes, text)).toEqual(left);
  });
});
