import type * as z from "zod";
import { bodySchemas } from "./answers/bodies.ts";
import { describedRoutes, templateOf, type Described } from "./described.ts";
import { exampleOf } from "./examples.ts";
import { HEADERS, INFO, SECURITY_SCHEMES, securityOf } from "./info.ts";
import { componentSchemas, opened, parameterSchema, type Json } from "./json-schema.ts";
import { explainMembers, explainParameter } from "./members/explain.ts";
import { TAGS } from "./operations/all.ts";
import { responsesOf } from "./answers/responses.ts";

const parametersOf = ({ route, operation }: Described) => {
  const ids = route.ids.map((name) => ({
    name,
    in: "path",
    required: true,
    description: explainParameter(operation.id, name),
    schema: { type: "string" },
    example: exampleOf(route.path, name),
  }));
  const query = operation.query?.() ?? route.query;
  const asked = Object.entries(query?.shape ?? {}).map(([name, part]) => ({
    name,
    in: "query",
    required: !(part as z.ZodType).safeParse(undefined).success,
    description: explainParameter(operation.id, name),
    schema: parameterSchema(part as z.ZodType),
    // What is undefined is left out of the JSON.
    example: exampleOf(route.path, name),
  }));
  const headers = [
    ...(route.takesTag ? [{ name: "If-Match", schema: { type: "string" } }] : []),
    ...(route.takesKey ? [{ name: "Idempotency-Key", schema: { type: "string", pattern: "^[!-~]{1,255}$" } }] : []),
  ].map(({ name, schema }) => ({
    name,
    in: "header",
    required: false,
    description: explainParameter(operation.id, name),
    schema,
  }));
  return [...ids, ...asked, ...headers];
};

/** Collects what several operations have in common, by name. */
type Shared = { schemas: Record<string, Json>; responses: Record<string, object> };

const operationObject = (one: Described, { schemas, responses }: Shared) => {
  const { route, operation } = one;
  const tag = TAGS.find(({ operations }) => Object.hasOwn(operations, route.name));
  const parameters = parametersOf(one);
  const content = bodySchemas(route, operation, schemas);
  return {
    operationId: operation.id,
    tags: [tag?.name],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: securityOf(route, operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: responsesOf(one, responses),
  };
};

const sorted = <Value>(named: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(named).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Describes the service as OpenAPI 3.1, by walking the routes of its app.
 *
 * @throws {Error} if any part of it has no description
 */
export const describe = () => {
  const shared: Shared = { schemas: {}, responses: {} };
  const paths: Record<string, Record<string, ReturnType<typeof operationObject>>> = {};
  for (const one of describedRoutes()) {
    const path = (paths[templateOf(one.route.path)] ??= {});
    path[one.route.method.toLowerCase()] = operationObject(one, shared);
  }
  for (const [name, json] of Object.entries(componentSchemas())) shared.schemas[name] = opened(json);
  const document = {
    openapi: "3.1.1",
    ...INFO,
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths,
    // This is a place for what the service may one day send by itself.
    webhooks: {},
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      responses: sorted(shared.responses),
      schemas: sorted(shared.schemas),
    },
  };
  explainMembers(document);
  return document;
};
