/** Stands for the runtime's class wherever the Worker's modules are loaded outside the runtime: by tests, and to describe the API. */
export class DurableObject {
  readonly ctx: unknown;

  constructor(ctx: unknown) {
    this.ctx = ctx;
  }
}
