import { describe, expect, it } from "vitest";
import { isPublicHost, isPublicUrl } from "../../../functions/http/input/urls.ts";

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
  ])("%j: %j", (host, isPublic) => {
    expect(isPublicHost(host)).toBe(isPublic);
  });
});
