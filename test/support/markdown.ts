import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const NOT_OURS = /(?:^|\/)(?:node_modules|dist|\.[^/]+)$/;

/** Lists the Markdown files of the project, by their paths from its root. */
export const markdownFiles = (): string[] =>
  globSync("**/*.md", { cwd: ROOT, exclude: (path) => NOT_OURS.test(path) }).toSorted();

/** Returns the text of a file, by its path from the project's root. */
export const readProjectFile = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Describes a heading with the text below it, up to the next heading of its level or above. */
type Section = { title: string; text: string };

/** Returns a text of the same length with its blocks of code blanked. */
const blankCode = (text: string): string =>
  text.replaceAll(/^```[^]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, " "));

const sectionsOf = (text: string): Section[] => {
  const headings = [...blankCode(text).matchAll(/^(#{1,6}) (.+)$/gm)].map((match) => ({
    level: match[1]?.length ?? 0,
    title: match[2] ?? "",
    at: match.index,
  }));
  return headings.map(({ level, title, at }, i) => {
    const next = headings.slice(i + 1).find((heading) => heading.level <= level);
    return { title, text: text.slice(at, next?.at) };
  });
};

/** Returns the titles of a text's headings, without their marks of code. */
export const titlesOf = (text: string): string[] => sectionsOf(text).map(({ title }) => title.replaceAll("`", ""));

/**
 * Returns the part of a text below a heading.
 *
 * @throws {Error} when there is no such heading
 */
export const sectionOf = (text: string, title: string): string => {
  const section = sectionsOf(text).find((candidate) => candidate.title === title);
  if (!section) throw new Error(`there is no heading "${title}"`);
  return section.text;
};

/**
 * Returns the blocks of code in a language below a heading, in their order.
 *
 * @param language as written after the opening marks; empty for blocks without one
 * @throws {Error} when there is none
 */
export const codeBelow = (text: string, title: string, language: string): string[] => {
  const blocks = [...sectionOf(text, title).matchAll(/^```(\w*)\n([^]*?)^```$/gm)];
  const found = blocks.filter(([, of]) => of === language).map(([, , code = ""]) => code);
  if (found.length === 0) throw new Error(`there is no ${language} code below "${title}"`);
  return found;
};

/** Returns the anchors of a text's headings, as GitHub makes them: later ones of the same text get a number. */
const anchorsOf = (text: string): Set<string> => {
  const anchors = new Set<string>();
  for (const { title } of sectionsOf(text)) {
    const slug = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
};

/**
 * Returns the broken links of a file: to a file that does not exist, or to a heading that its file does not have. Links
 * to the web are left out.
 */
export const brokenLinks = (path: string): string[] => {
  const prose = blankCode(readProjectFile(path)).replaceAll(/`[^`\n]*`/g, "");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => {
    if (/^https?:/.test(target)) return false;
    const [file = "", anchor] = target.split("#");
    const linked = file === "" ? path : join(dirname(path), file);
    if (!existsSync(join(ROOT, linked))) return true;
    return anchor !== undefined && !(linked.endsWith(".md") && anchorsOf(readProjectFile(linked)).has(anchor));
  });
};
