import Type, { type TSchema } from "typebox";
import { actionsOf, isObject, type Action, type Handlers } from "../../base/index.ts";
import type { Declaration } from "../../resources/index.ts";
import { accountPaths } from "./accountPaths.ts";
import { describeMembers } from "./describeMembers.ts";
import { operationOf } from "./operationOf.ts";
import { componentSchemas } from "./componentSchemas.ts";
import { recordSchemas } from "./recordSchemas.ts";
import { pascal, reference } from "./reference.ts";
import { resourceDescription } from "./resourceDescription.ts";
import { routePaths } from "./routePaths.ts";
import type { ServiceOperation } from "./serviceSchemas.ts";
import { sessionPaths } from "./sessionPaths.ts";
import { webhookPaths } from "./webhookPaths.ts";

const json = (schema: TSchema) => ({ "application/json": { schema } });

function pathItem(
  resource: string,
  action: Action,
  { summary, members, answer, otherType, file }: ServiceOperation,
): unknown {
  const body = Type.Object({
    action: Type.Optional(Type.Literal(action)),
    version: Type.Optional(Type.Literal("0.1.0")),
    key: Type.String(),
    token: Type.String(),
    ...members,
  });
  return {
    post: {
      operationId: `${action}${pascal(resource)}`,
      summary,
      tags: [resource],
      requestBody: {
        required: true,
        content: {
          ...json(body),
          ...(file !== undefined && {
            "multipart/form-data": {
              schema: Type.Object({
                call: { ...body, description: "The JSON of the call. It must be the first part." },
                file: Type.String({ format: "binary", description: file }),
              }),
              encoding: { call: { contentType: "application/json" } },
            },
          }),
        },
      },
      responses: {
        200: {
          description: "Done.",
          content: {
            ...json(answer),
            ...(otherType && {
              [otherType.mediaType]: {
                schema: Type.String({ format: "binary", description: otherType.description }),
              },
            }),
          },
        },
        default: {
          description: "The call was refused or failed.",
          content: json(reference("Error")),
        },
      },
    },
  };
}

const ErrorBody = Type.Object({
  code: Type.Integer({ description: "The HTTP status." }),
  type: Type.Object({
    code: Type.String({ description: "The stable error name." }),
    description: Type.String(),
  }),
  message: Type.String(),
  validation: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  remedies: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
  request_id: Type.String(),
});

export interface OpenapiParts {
  readonly handlers: Handlers;
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** URL of the host. */
  readonly url: string;
}

/**
 * Describes the API as OpenAPI 3.1, with one operation per resource and action. Each has a path of its own, such as
 * `/0.1.0/account/create`. Calls may use the path of the resource instead, because the body names the action too.
 */
export function createOpenapi({ handlers, declarations, url }: OpenapiParts): unknown {
  const operations = [...handlers].flatMap(([resource, offered]) =>
    actionsOf(offered).map((action) => {
      const operation = operationOf(resource, action, declarations);
      if (!operation) throw new Error(`the action ${action} of ${resource} is not described`);
      return [`/0.1.0/${resource}/${action}`, pathItem(resource, action, operation)] as const;
    }),
  );
  const paths = describePaths({
    ...Object.fromEntries(operations),
    ...sessionPaths(reference("Error")),
    ...accountPaths(reference("Error")),
    ...routePaths(reference("Error")),
  });
  const webhooks = describePaths(webhookPaths());
  const tags = [...new Set([...tagsOf(paths), ...tagsOf(webhooks)])];
  return {
    openapi: "3.1.0",
    info: {
      title: "Manifold core API",
      version: "0.1.0",
      description:
        "Every call is a POST with a JSON body. The members key and token of the body identify the caller. Calls may use the path of the resource, such as /0.1.0/tag, with the action in the body.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    security: [{}, { session: [] }],
    tags: tags.map((name) => ({ name, description: resourceDescription(name, declarations) })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: "manifold-session",
          description:
            "The session of a browser that signed in. Programs send the members key and token in the body instead, for which OpenAPI has no name.",
        },
      },
      schemas: Object.fromEntries(
        Object.entries({
          Error: ErrorBody,
          ...componentSchemas(declarations),
          ...recordSchemas(declarations),
        }).map(([name, schema]) => [name, describeMembers(schema, name)]),
      ),
    },
  };
}

/** Returns the tags of the operations of paths. */
function tagsOf(paths: Readonly<Record<string, unknown>>): readonly string[] {
  const operations = Object.values(paths).flatMap((methods) =>
    isObject(methods) ? Object.values(methods) : [],
  );
  return operations.flatMap((operation) =>
    isObject<"tags">(operation) && Array.isArray(operation.tags) ? operation.tags.map(String) : [],
  );
}

/** Returns paths whose bodies have a description for each member. */
function describePaths(
  paths: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const describe = (value: unknown, operationId: string): unknown => {
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]): [string, unknown] =>
        name === "schema"
          ? [name, describeMembers(inner, operationId)]
          : [name, describe(inner, operationId)],
      ),
    );
  };
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(isObject(methods) ? methods : {}).map(([method, operation]) => {
          const within = isObject<"operationId">(operation) ? operation.operationId : undefined;
          return [method, describe(operation, String(within ?? ""))];
        }),
      ),
    ]),
  );
}
