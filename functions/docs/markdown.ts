import { Marked, type Token, type Tokens } from "marked";

/** Returns the anchor of a heading, in GitHub's form. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";

/** Returns the text of a heading, without backticks. */
const plain = (heading: Tokens.Heading): string => heading.text.replaceAll("`", "");

/** Lists the headings of a text, without backticks. */
export const headingsOf = (text: string): string[] => new Marked().lexer(text).filter(isHeading).map(plain);

/**
 * Returns the parts of a text below some headings, each up to the next heading of its level or above.
 *
 * @throws {Error} when there is no such heading
 */
const partsOf = (tokens: readonly Token[], headings: readonly string[]): Token[] =>
  headings.flatMap((title) => {
    const start = tokens.findIndex((token) => isHeading(token) && plain(token) === title);
    const heading = tokens[start];
    if (!heading || !isHeading(heading)) throw new Error(`there is no heading "${title}"`);
    const rest = tokens.slice(start + 1);
    const end = rest.findIndex((token) => isHeading(token) && token.depth <= heading.depth);
    // Each part begins at the same level of the page, whatever its level in its file.
    const up = heading.depth - 2;
    return [heading, ...(end === -1 ? rest : rest.slice(0, end))].map((token) =>
      isHeading(token) ? Object.assign({}, token, { depth: token.depth - up }) : token,
    );
  });

/** Finds where links and pictures lead; null for a link to something that is not on the site. */
export type Addresses = { link: (href: string) => string | null; picture: (src: string) => string };

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Makes a function that counts up, from one. */
export const counting = (): (() => number) => {
  let last = 0;
  return () => (last += 1);
};

/**
 * Renders parts of a Markdown text as HTML. Tables and code scroll by themselves, and are reached by keyboard.
 *
 * @param headings the headings of the parts
 * @param next returns the number of the next table or code block; a page of several texts shares it
 * @throws {Error} when a heading does not exist
 */
export const renderParts = (
  text: string,
  headings: readonly string[],
  { link, picture }: Addresses,
  next = counting(),
): string => {
  // No two regions of a page have the same name.
  const region = (name: string) => `tabindex="0" role="region" aria-label="${name} ${next()}"`;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: raw }) {
        const id = anchorOf(raw.replaceAll("`", ""));
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const address = link(href);
        return address === null ? words : `<a href="${escaped(address)}">${words}</a>`;
      },
      image: ({ href, text: alt }) => `<img src="${escaped(picture(href))}" alt="${escaped(alt)}" loading="lazy">`,
      code: ({ text: code, lang }) =>
        `<pre ${region(lang ? `Example in ${escaped(lang)},` : "Example")}><code>${escaped(code)}</code></pre>\n`,
      table(token) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}${tag === "th" ? ' scope="col"' : ""}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
        const head = row(token.header, "th");
        const body = token.rows.map((cells) => row(cells, "td")).join("\n");
        return `<div class="wide" ${region("Table")}><table>\n<thead>${head}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
      },
    },
  });
  return marked.parser(partsOf(marked.lexer(text), headings));
};
