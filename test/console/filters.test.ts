import { describe, expect, it } from "vitest";
import {
  addressOf,
  isReadable,
  pageCount,
  pageParameters,
  readFilters,
  readPage,
  shownRows,
} from "../../functions/console/core/filters.ts";

describe("the console's filters", () => {
  it("are those that a list knows and that have a value", () => {
    expect(readFilters({ search: "a b", status: "", other: "x" }, ["search", "status"])).toEqual({ search: "a b" });
  });

  it.each([
    [{ search: "", page: 1 }, "/console/sites"],
    [{ search: "a&b=ü", page: 2 }, "/console/sites?search=a%26b%3D%C3%BC&page=2"],
    [{ status: undefined, ads: "false" }, "/console/sites?ads=false"],
    [{ count: 1, page: 1 }, "/console/sites?count=1"],
  ])("%j stand in the address as %s", (filters, address) => {
    expect(addressOf("/console/sites", filters)).toBe(address);
  });

  it.each([
    [{}, 1],
    [{ page: "3" }, 3],
    [{ page: "0" }, 1],
    [{ page: "-2" }, 1],
    [{ page: "1.5" }, 1],
    [{ page: "x" }, 1],
    [{ page: "1e99" }, 1],
  ])("%j asks for page %d", (query: Record<string, string>, page) => {
    expect(readPage(query)).toBe(page);
  });

  it.each([
    [1, 0, { from: 0, to: 0 }, 1],
    [1, 10, { from: 1, to: 10 }, 1],
    [2, 51, { from: 26, to: 50 }, 3],
    [3, 51, { from: 51, to: 51 }, 3],
    [9, 51, { from: 51, to: 51 }, 3],
  ])("page %d of %d rows", (page, total, rows, pages) => {
    expect(shownRows(page, total)).toEqual(rows);
    expect(pageCount(total)).toBe(pages);
  });

  it("name the rows that the API is asked for", () => {
    expect(pageParameters(3)).toEqual({ skip: 50, take: 25 });
  });
});

it.each([
  ["/console/offers/ofr_1", true],
  ["/console/offers/%C3%BC", true],
  ["/console/offers/%E0%A4%A", false],
  ["/console/%", false],
])("tells whether the path %s can be read", (path, is) => {
  expect(isReadable(path)).toBe(is);
});
