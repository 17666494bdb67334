import type { Result } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

/**
 * The one of hono's routers that can hold all of our paths. It remembers what it found for paths without parameters:
 * looking for the handlers of `/api/odata` anew would cost each request several microseconds.
 */
export class RememberingRouter<T> extends TrieRouter<T> {
  readonly #fixed = new Set<string>();
  readonly #found = new Map<string, Map<string, Result<T>>>();

  override add(method: string, path: string, handler: T): void {
    super.add(method, path, handler);
    this.#found.clear();
    if (!/[:*]/.test(path)) this.#fixed.add(path);
  }

  override match(method: string, path: string): Result<T> {
    if (!this.#fixed.has(path)) return super.match(method, path);
    let methods = this.#found.get(path);
    if (!methods) this.#found.set(path, (methods = new Map()));
    let result = methods.get(method);
    if (!result) methods.set(method, (result = super.match(method, path)));
    return result;
  }
}
