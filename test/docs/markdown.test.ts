import { describe, expect, it } from "vitest";
import { anchorOf, headingsOf, renderParts, type Addresses } from "../../functions/docs/markdown.ts";

const TEXT = `# All

Before.

## First

One \`<b>\` and [a link](#second), [another](https://elsewhere.example/?a=1&b=2) and [a third](other.md#nowhere).

### \`GET /a/:id\`

\`\`\`sh
# no heading
curl '<x>'
\`\`\`

## Second

| a | b |
| - | - |
| 1 | [2](#first) |

![Two "looks"](pictures/looks.png)
`;

const addresses: Addresses = {
  link: (href) => (href.startsWith("other.md") ? null : href.replace("#", "/docs/all#")),
  picture: (src) => `/docs/${src.split("/").at(-1)}`,
};
const render = (...headings: string[]) => renderParts(TEXT, headings, addresses);

describe("renderParts", () => {
  it("takes a heading with all below it, up to the next of its level", () => {
    const html = render("First");
    expect(html).toContain('<h2 id="first">First</h2>');
    expect(html).toContain('<h3 id="get-aid"><code>GET /a/:id</code></h3>');
    expect(html).not.toMatch(/Second|Before/);
  });

  it("makes a part of whatever level a part of the page", () => {
    expect(render("GET /a/:id")).toMatch(/^<h2 id="get-aid">/);
  });

  it("takes parts in the order that is asked for", () => {
    const html = render("Second", "GET /a/:id");
    expect(html.indexOf('id="second"')).toBeLessThan(html.indexOf('id="get-aid"'));
  });

  it("leads links where they are told to, and leaves the words of those that lead nowhere", () => {
    const html = render("First");
    expect(html).toContain('<a href="/docs/all#second">a link</a>');
    expect(html).toContain('<a href="https://elsewhere.example/?a=1&amp;b=2">another</a>');
    expect(html).toContain("and a third.");
  });

  it("shows code as it is, which takes the focus to scroll", () => {
    expect(render("First")).toContain(
      '<pre tabindex="0" role="region" aria-label="Example in sh, 1"><code># no heading\ncurl \'&lt;x&gt;\'</code></pre>',
    );
    expect(render("First")).toContain("<code>&lt;b&gt;</code>");
  });

  it("names the columns of a table, and shows pictures with their words", () => {
    const html = render("Second");
    expect(html).toContain('<th scope="col">a</th>');
    expect(html).toContain('<td><a href="/docs/all#first">2</a></td>');
    expect(html).toContain('<img src="/docs/looks.png" alt="Two &quot;looks&quot;" loading="lazy">');
  });

  it("refuses a heading that is not there", () => {
    expect(() => render("Third")).toThrow('there is no heading "Third"');
  });
});

describe("headings", () => {
  it("are listed without marks, and without comments in code", () => {
    expect(headingsOf(TEXT)).toEqual(["All", "First", "GET /a/:id", "Second"]);
  });

  it.each([
    ["POST /api/v1/publishers/:id/api-tokens", "post-apiv1publishersidapi-tokens"],
    ["Amounts, money and currencies", "amounts-money-and-currencies"],
  ])("have the anchors of GitHub: %s", (heading, anchor) => {
    expect(anchorOf(heading)).toBe(anchor);
  });
});
