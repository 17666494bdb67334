import { describe, expect, it } from "vitest";
import { isPublicHost, publicUrl, webUrl } from "../../../functions/http/input/urls.ts";

const isPublicUrl = (url: string): boolean => publicUrl().safeParse(url).success;

/** Returns what is stored of a URL, or why it is refused. */
const stored = (schema: ReturnType<typeof webUrl>, url: string): string => {
  const { data, error } = schema.safeParse(url);
  return data ?? error?.issues.map(({ message }) => message).join() ?? "";
};

const IN_FRONT = "must not have a user, a password or a macro before its path";

describe("a URL is stored as browsers read it:", () => {
  it.each([
    ["https:evil.example", "https://evil.example/"],
    [String.raw`https:\\evil.example\x`, "https://evil.example/x"],
    ["https://shop.example", "https://shop.example/"],
    ["HTTPS://Shop.EXAMPLE:443/A/../b", "https://shop.example/b"],
    ["https://bücher.example/käse?q=ü", "https://xn--bcher-kva.example/k%C3%A4se?q=%C3%BC"],
    ["https://shop.example/a\nb\tc", "https://shop.example/abc"],
    [
      "https://shop.example/{click_id}/b?c={click_id}&{site_id}=1#{country}",
      "https://shop.example/{click_id}/b?c={click_id}&{site_id}=1#{country}",
    ],
    ["https://shop.example/{Not One}/%7Bclick_id%7D", "https://shop.example/{Not%20One}/%7Bclick_id%7D"],
    ["https://shop.example/?q=%7Bclick_id%7D", "https://shop.example/?q=%7Bclick_id%7D"],
    [
      "https://shop.example/{%7b0%7B1}%7D0%7d1%257B?{%7b%7B0}#%7D",
      "https://shop.example/{%7b0%7B1}%7D0%7d1%257B?{%7b%7B0}#%7D",
    ],
    ["https://shop.example/%7\nB{a\tb}", "https://shop.example/%7B{ab}"],
  ])("%j as %s", (url, href) => {
    for (const schema of [webUrl(), publicUrl()]) {
      expect(stored(schema, url)).toBe(href);
      expect(stored(schema, href)).toBe(href);
    }
  });

  it.each([
    ["https://user:pass@shop.example/", IN_FRONT],
    ["https://user@shop.example/", IN_FRONT],
    ["https://{country}.shop.example/", IN_FRONT],
    ["https://%7Bcountry%7D.shop.example/", IN_FRONT],
    ["https://{click_id}@shop.example/", IN_FRONT],
    ["https://shop.example:{country}/", "must be an http or https URL"],
    ["{country}://shop.example/", "must be an http or https URL"],
    ["javascript:alert(1)", "must be an http or https URL"],
    ["javascript://shop.example/%0Aalert(1)", "must be an http or https URL"],
    ["shttp://shop.example/", "must be an http or https URL"],
    ["data:text/html,x", "must be an http or https URL"],
    ["shop.example", "must be an http or https URL"],
    [`https://shop.example/${"ü".repeat(1_000)}`, "must have at most 2048 characters, escaped as browsers do"],
  ])("but not %j", (url, problem) => {
    expect(stored(webUrl(), url)).toBe(problem);
    expect(stored(publicUrl(), url)).toBe(problem.replace("an http or https URL", "an https URL of a public host"));
  });
});

describe("a public URL", () => {
  it.each([
    "https://advertiser.example",
    "https://advertiser.example/landing?click={click_id}#top",
    "https://advertiser.example:8443/",
    "https://sub.domain.advertiser.example.",
    "HTTPS://ADVERTISER.EXAMPLE/",
    "https://bücher.example/",
    "https://xn--bcher-kva.example/",
    "https://localhost.example/",
    "https://local.example/",
    "https://my-internal.example/",
    "https://10.0.0.1.example/",
    "https://1password.example/",
  ])("is %s", (url) => {
    expect(isPublicUrl(url)).toBe(true);
  });

  it.each([
    "",
    "advertiser.example",
    "//advertiser.example/",
    "/landing",
    "https://",
    "https:///",
    "http://advertiser.example/",
    "ftp://advertiser.example/",
    "javascript:alert(1)//advertiser.example",
    "data:text/html,https://advertiser.example",
    "https://user:pass@advertiser.example/",
    "https://user@advertiser.example/",
    "https://:pass@advertiser.example/",
    "https://advertiser.example@127.0.0.1/",
    "https://adver tiser.example/",
    "https://advertiser.example:99999/",
  ])("is not %j", (url) => {
    expect(isPublicUrl(url)).toBe(false);
  });

  it.each([
    ["loopback", "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "017700000001"],
    ["loopback with dots behind", "127.0.0.1.", "127.0.0.1..", "localhost.", "localhost..", "[::1]", "foo.local.."],
    ["loopback in other letters", "１２７.0.0.1", "①②⑦.0.0.1", "127。0。0。1", "LOCALHOST", "ⓛocalhost", "%6cocalhost"],
    ["IPv6", "[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[fe80::1]", "[fd00::1]"],
    ["IPv6 that is public", "[2606:4700:4700::1111]"],
    ["this host", "0.0.0.0", "0"],
    ["private", "10.0.0.1", "172.16.0.1", "192.168.1.1", "192.168.257", "100.64.0.1", "0xC0A80101"],
    ["link-local", "169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376"],
    ["an address that is public", "8.8.8.8", "134744072"],
    ["a single label", "localhost", "intranet", "advertiser", "com."],
    ["a private network's name", "foo.local", "foo.localhost", "a.internal", "db.corp", "nas.lan", "x.home.arpa"],
    ["a private network's name in capitals", "Foo.LOCAL", "METADATA.google.Internal"],
  ])("has no host that is %s", (_, ...hosts) => {
    for (const host of hosts) expect([host, isPublicUrl(`https://${host}/`)]).toEqual([host, false]);
  });
});

describe("a public host", () => {
  it.each([
    ["advertiser.example", true],
    ["advertiser.example.", true],
    ["local", false],
    ["", false],
    [".", false],
    ["..", false],
    ["home.arpa", false],
    ["notlocal.example", true],
    ["not-lan.example", true],
    ["alan", false],
    ["my.alan", true],
    ["shop.xn--p1ai", true],
    ["shop.xn--fzc2c9e2", true],
    ["shop.2example", true],
    ["192.0.2.1", false],
  ])("%j: %j", (host, isPublic) => {
    expect(isPublicHost(host)).toBe(isPublic);
  });
});
