import { beforeAll, describe, expect, it } from "vitest";
import { categoryList } from "../../../db/inventory/categories.ts";
import { newId } from "../../../db/core/ids.ts";
import { api, dataOf, invalid, said, wrapped } from "../../support/api.ts";
import { makePlatform, makePublisher } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

let h: Harness;
let token: string;
beforeAll(async () => {
  h = await sharedHarness();
  token = (await makePublisher(h.db)).privateKey;
});

const list = (query = "", by: string | undefined = token) => api(h, "GET", `/api/v1/categories${query}`, { token: by });
const search = (text: string, more = "") => list(`?search=${encodeURIComponent(text)}${more}`);
const answered = (of: readonly object[], total: number, page: { skip: number; take: number; hasMore: boolean }) => [
  200,
  { success: true, data: of, pagination: { total, ...page } },
];
const named = (part: string) => categoryList.filter(({ name }) => name.toLowerCase().includes(part));

describe("GET /api/v1/categories", () => {
  it("lists what a site may be of, in the order of the taxonomy", async () => {
    expect(said(await list("?take=100"))).toEqual(
      answered(categoryList.slice(0, 100), categoryList.length, { skip: 0, take: 100, hasMore: true }),
    );
    expect(said(await list("?skip=100"))).toEqual(
      answered(categoryList.slice(100, 150), categoryList.length, { skip: 100, take: 50, hasMore: true }),
    );
    expect(said(await list("?skip=150&take=2"))).toEqual(
      answered(categoryList.slice(150), categoryList.length, { skip: 150, take: 2, hasMore: false }),
    );
  });

  it("answers a publisher, a platform and the administrator the same", async () => {
    const platform = await makePlatform(h.db);
    const own = await list();
    for (const other of [platform.token, SECRETS.ADMIN_TOKEN]) {
      expect(said(await list("", other))).toEqual(said(own));
    }
  });

  it.each(["footwear", "FOOTWEAR", " Foot ", "Fashion > Foot", "department stores", "health", "qsr)", ","])(
    "finds names that contain %j, in any case",
    async (text) => {
      const found = named(text.trim().toLowerCase());
      expect(found.length).toBeGreaterThan(0);
      expect(said(await search(text, "&take=100"))).toEqual(
        answered(found.slice(0, 100), found.length, { skip: 0, take: 100, hasMore: found.length > 100 }),
      );
    },
  );

  it("pages through what it finds", async () => {
    const found = named("insurance");
    expect(found.length).toBeGreaterThan(5);
    expect(said(await search("insurance", "&skip=2&take=3"))).toEqual(
      answered(found.slice(2, 5), found.length, { skip: 2, take: 3, hasMore: true }),
    );
  });

  it.each(["no such category", "%", "_", "\\", "apparel-and-fashion", "1.2"])("finds nothing for %j", async (text) => {
    expect(said(await search(text))).toEqual(answered([], 0, { skip: 0, take: 50, hasMore: false }));
  });

  it("names what a new site accepts", async () => {
    const [category] = dataOf<{ name: string }[]>(await search("pet goods"));
    const body = { name: newId("site"), categoryName: category?.name };
    expect(dataOf(await api(h, "POST", "/api/site", { token, body }))).toMatchObject({ category });
  });

  it.each([
    ["?search=", "search: must not be empty"],
    [`?search=${"x".repeat(256)}`, "search: must have at most 255 characters"],
    ["?search=a%00b", "search: must not contain NUL or unpaired surrogates"],
    ["?take=0", "take: must be between 1 and 100"],
    ["?take=101", "take: must be between 1 and 100"],
    ["?skip=-1", "skip: must be between 0 and 9007199254740991"],
    ["?skip=x", "skip: must be an integer"],
    ["?name=Footwear", "name: is not known"],
  ])("refuses %s", async (query, problem) => {
    expect(said(await list(query))).toEqual(invalid(problem));
  });

  it("refuses who has no credential of management", async () => {
    const { publicKey } = await makePublisher(h.db);
    for (const by of ["", "nonsense", publicKey]) {
      expect(said(await list("", by))).toEqual([401, wrapped("UNAUTHORIZED")]);
    }
  });
});
