import { SECRETS } from "../secrets.ts";
import { bodyOf } from "./bodies.ts";
import type { Target } from "./described.ts";
import type { Plan } from "./plans.ts";
import type { Scene } from "./scene.ts";

/** Describes a request that is ready to be sent. */
export type Ready = { target: Target; method: string; path: string; headers: Record<string, string>; body?: string };

const bearerOf = ({ caller, garbage }: Plan, target: Target, scene: Scene): string | undefined => {
  if (caller === "none") return undefined;
  if (caller === "garbage") return garbage;
  const { world } = scene;
  const tokens = { publisher: world.publisher.privateKey, platform: world.platform.token, admin: SECRETS.ADMIN_TOKEN };
  const own = { own: target.bearer(scene), public: world.publisher.publicKey, ...tokens };
  return `Bearer ${own[caller]}`;
};

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Makes the request to a target that a plan describes. */
export const readyOf = (plan: Plan, target: Target, scene: Scene): Ready => {
  const method = plan.method === "own" ? target.method : plan.method;
  const parameters = plan.parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`);
  const own = plan.query === "none" ? "" : target.query(scene, plan.choice, plan.query === "beside");
  const query = [own, ...parameters, plan.rawQuery];
  const valid = target.body?.(scene, plan.choice, plan.body === "beside");
  const body = /^(?:GET|HEAD)$/.test(method) ? undefined : bodyOf(plan, valid);
  const authorization = bearerOf(plan, target, scene);
  return {
    target,
    method,
    path: `${target.address(scene, plan.id ?? undefined)}?${query.filter((part) => part !== "").join("&")}`,
    headers: {
      ...(authorization === undefined ? {} : { authorization: encodeHeader(authorization) }),
      ...(body === undefined ? {} : { "content-type": plan.type }),
      ...target.headers(plan.choice),
      ...plan.headers,
    },
    ...(body === undefined ? {} : { body }),
  };
};

/** Keeps a header to what a client can send. */
const encodeHeader = (value: string): string => value.replaceAll(/[^\t\u0020-\u00ff]/g, "?");
