import { expect, it, vi } from "vitest";

const { built } = vi.hoisted(() => ({ built: [] as string[] }));

vi.mock("cloudflare:workers", () => ({ DurableObject: Object }));
vi.mock("zod", async (original) => {
  const zod = await original<Record<string, unknown>>();
  const noting = Object.entries(zod).map(([name, make]) => [
    name,
    typeof make === "function" && /^[a-z]/.test(name)
      ? (...args: unknown[]): unknown => {
          built.push(name);
          return Reflect.apply(make, undefined, args);
        }
      : make,
  ]);
  return Object.fromEntries(noting);
});

it("builds no schema when the Worker starts", async () => {
  const z = await import("zod");
  z.string();
  expect(built.splice(0)).toEqual(["string"]);
  await import("../functions/index.ts");
  expect(built).toEqual([]);
});
