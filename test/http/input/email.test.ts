import { describe, expect, it } from "vitest";
import { EMAIL, EMAIL_OR_HASH } from "../../../functions/http/input/email.ts";

const accepts = (text: string) => [EMAIL.test(text), EMAIL_OR_HASH.test(text)];

describe("an e-mail address", () => {
  it.each([
    "a@b.example",
    "First.Last+tag@sub.shop.example",
    "o'neil/sales!#1@shop.example",
    "r&d_{x}=~`|%*?^$-@shop.example",
    "-a-@shop.example",
    "1@2.example",
    "jürgen@bücher.example",
    "用户@例子.广告",
    "पता@उदाहरण.भारत",
    "δοκιμή@παράδειγμα.δοκιμή",
    "josé@example.com",
    "𠮷野@example.jp",
    "ĳ·l@col·lecció.example",
    "toni@test.xn--p1ai",
    "a@a-b--c.9-9.example",
    `${"a".repeat(300)}@b.example`,
  ])("may be %s", (text) => {
    expect(accepts(text)).toEqual([true, true]);
  });

  it.each([".a@b.example", "a.@b.example", "a..b@c.example"])("may be %s of a customer alone", (text) => {
    expect(accepts(text)).toEqual([false, true]);
  });

  it.each([
    ["brackets around it", "<a@ex.example>"],
    ["a scheme", "mailto:a@ex.example"],
    ["a comma behind it", "a@ex.example,"],
    ["a name before it", "Toni <a@ex.example>"],
    ["a mark in its domain", "a@b.c!"],
    ["a comma in its domain", "a@exam,ple.com"],
    ["a path", "a@b.example/x?y#z"],
    ["a port", "a@b.example:25"],
    ["a line under its domain", "a@b_c.example"],
    ["an address for a domain", "a@[192.0.2.1]"],
    ["two dots in its domain", "a@b..example"],
    ["a dot at the end", "a@b.example."],
    ["a hyphen before a label", "a@-b.example"],
    ["a hyphen behind a label", "a@b-.example"],
    ["a hyphen at the end", "a@b.example-"],
    ["one label", "a@localhost"],
    ["two ats", "a@b@c.example"],
    ["no local part", "@b.example"],
    ["quotes", '"a b"@c.example'],
    ["a space", "a b@c.example"],
    ["NUL", "a\0@b.example"],
    ["a control character", "a\u0007@b.example"],
    ["a control character in its domain", "a@b\u0085.example"],
    ["a line break at the end", "a@b.example\n"],
    ["a space of no width", "a\u200b@b.example"],
    ["a mark of no width", "a@b\ufeff.example"],
    ["a soft hyphen", "a@b\u00ad.example"],
    ["a mark that turns the direction", "\u202ea@b.example"],
    ["a tag that nobody sees", "a\u{e0041}@b.example"],
    ["a wide comma", "a@b.example，"],
    ["an ideographic full stop", "a@b。example"],
  ])("may not have %s", (_, text) => {
    expect(accepts(text)).toEqual([false, false]);
  });
});
