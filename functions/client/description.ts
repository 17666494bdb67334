import type { Json } from "../description/json-schema.ts";

type Content = Record<string, { schema?: Json; example?: unknown }>;

/** Describes a parameter, as far as the client's generator reads it. */
export type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: Json;
  example?: unknown;
};

/** Describes an answer: its content, or a reference to it. */
export type Response = { $ref?: string; content?: Content };

/** Describes an operation, as far as the client's generator reads it. */
export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  security: Record<string, never[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
};

/** Holds the description of the API, as far as the client's generator reads it. */
export type Description = {
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, { type: string }>;
    responses: Record<string, Response>;
    schemas: Record<string, Json>;
  };
};

/** Holds an operation with its method and path. */
export type Routed = Operation & { method: string; path: string };

/** Holds a success: its media type and its schema. */
export type Success = { type: string; schema: Json; example?: unknown };

/** Lists what an operation answers as data, by media type. Pages and images are for browsers, and left out. */
export const successesOf = ({ responses }: Operation): Success[] =>
  Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status.startsWith("2")
      ? Object.entries(content).flatMap(([type, { schema }]) =>
          schema && /json$|^text\/csv$/.test(type) ? [{ type, schema }] : [],
        )
      : [],
  );

/** Lists the operations that answer data. The others are URLs in answers, which a customer's browser calls. */
export const operationsOf = ({ paths }: Description): Routed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      successesOf(operation).length > 0 ? [{ ...operation, method: method.toUpperCase(), path }] : [],
    ),
  );
