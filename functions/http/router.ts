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
    const known = this.#found.get(path)?.get(method);
    if (known) return known;
    const result = super.match(method, path);
    if (!this.#fixed.has(path)) return result;
    const methods = this.#found.get(path) ?? new Map<string, Result<T>>();
    this.#found.set(path, methods.set(method, result));
    return result;
  }
}
