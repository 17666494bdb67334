import { METHOD_NAME_ALL, type Result } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

/**
 * Finds the handlers of a request, by the only router of hono that can hold all of our paths. It remembers what it
 * found for paths without parameters, because a search costs several microseconds. It leaves out middleware for all
 * methods that comes after the method's last handler, which answers: hono calls a lone handler without a chain of
 * promises.
 *
 * Its tree is made at the first search. Apps that are mounted in another one are never searched, and a Worker has more
 * time for its first answer than for its start.
 */
export class RememberingRouter<T> extends TrieRouter<T> {
  readonly #fixed = new Set<string>();
  readonly #forAll = new Set<T>();
  readonly #found = new Map<string, Map<string, Result<T>>>();
  #waiting: [method: string, path: string, handler: T][] = [];

  override add(method: string, path: string, handler: T): void {
    this.#waiting.push([method, path, handler]);
    this.#found.clear();
    if (method === METHOD_NAME_ALL) this.#forAll.add(handler);
    if (!/[:*]/.test(path)) this.#fixed.add(path);
  }

  override match(method: string, path: string): Result<T> {
    const known = this.#found.get(path)?.get(method);
    if (known) return known;
    for (const route of this.#waiting) super.add(...route);
    this.#waiting = [];
    const result = super.match(method, path);
    if (!this.#fixed.has(path)) return result;
    const last = result[0].findLastIndex(([handler]) => !this.#forAll.has(handler));
    const reached = (last === -1 ? result : [result[0].slice(0, last + 1)]) as Result<T>;
    const methods = this.#found.get(path) ?? new Map<string, Result<T>>();
    this.#found.set(path, methods.set(method, reached));
    return reached;
  }
}
