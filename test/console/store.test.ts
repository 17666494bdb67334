import { expect, it } from "vitest";
import { makeStore } from "../../functions/console/core/store.ts";

it("a store tells each of its listeners of a new value, until they leave", () => {
  const store = makeStore("first");
  const heard: string[] = [];
  const leave = store.subscribe(() => heard.push(`one ${store.get()}`));
  store.subscribe(() => heard.push(`two ${store.get()}`));
  expect(store.get()).toBe("first");
  store.set("second");
  leave();
  store.set("third");
  expect(store.get()).toBe("third");
  expect(heard).toEqual(["one second", "two second", "two third"]);
});
