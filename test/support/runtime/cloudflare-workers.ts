/** Stands for the runtime's class wherever tests load the Worker's modules outside the runtime. */
export class DurableObject {
  readonly ctx: unknown;

  constructor(ctx: unknown) {
    this.ctx = ctx;
  }
}
