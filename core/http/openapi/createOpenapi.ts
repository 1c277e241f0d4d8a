import Type, { type TSchema } from "typebox";
import { actionsOf, type Action, type Handlers } from "../../base/index.ts";
import type { Declaration } from "../../resources/index.ts";
import { accountPaths } from "./accountPaths.ts";
import { operationOf } from "./operationOf.ts";
import { querySchemas } from "./querySchemas.ts";
import { recordSchema } from "./recordSchemas.ts";
import { pascal, reference } from "./reference.ts";
import { routePaths } from "./routePaths.ts";
import type { ServiceOperation } from "./serviceSchemas.ts";
import { sessionPaths } from "./sessionPaths.ts";

const json = (schema: TSchema) => ({ "application/json": { schema } });

function pathItem(
  resource: string,
  action: Action,
  { members, answer, otherType }: ServiceOperation,
): unknown {
  const body = Type.Object({
    action: Type.Literal(action),
    version: Type.Optional(Type.Literal("0.1.0")),
    key: Type.String(),
    token: Type.String(),
    ...members,
  });
  return {
    post: {
      operationId: `${action}${pascal(resource)}`,
      tags: [resource],
      requestBody: { required: true, content: json(body) },
      responses: {
        200: {
          description: "done",
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
          description: "the call was refused or failed",
          content: json(reference("Error")),
        },
      },
    },
  };
}

const ErrorBody = Type.Object({
  code: Type.Integer({ description: "the HTTP status" }),
  type: Type.Object({
    code: Type.String({ description: "the stable error name" }),
    description: Type.String(),
  }),
  message: Type.String(),
  validation: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  request_id: Type.String(),
});

export interface OpenapiParts {
  readonly handlers: Handlers;
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** URL of the host. */
  readonly url: string;
}

/**
 * Describes the API as OpenAPI 3.1, with one operation per resource and action. The actions of a resource share a path
 * and differ only in the body. The query string of a path (`/0.1.0/account?create`) distinguishes them in this
 * document; calls may omit it, because the host ignores it.
 */
export function createOpenapi({ handlers, declarations, url }: OpenapiParts): unknown {
  const operations = [...handlers].flatMap(([resource, offered]) =>
    actionsOf(offered).map((action) => {
      const operation = operationOf(resource, action, declarations);
      if (!operation) throw new Error(`the action ${action} of ${resource} is not described`);
      return [`/0.1.0/${resource}?${action}`, pathItem(resource, action, operation)] as const;
    }),
  );
  const schemas = [...declarations.values()].map((declaration) => [
    pascal(declaration.name),
    recordSchema(declaration),
  ]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Manifold core API",
      version: "0.1.0",
      description:
        "Every call is a POST with a JSON body. The action in the body selects the operation; key and token identify the caller.",
    },
    servers: [{ url }],
    paths: {
      ...Object.fromEntries(operations),
      ...sessionPaths(reference("Error")),
      ...accountPaths(reference("Error")),
      ...routePaths(reference("Error")),
    },
    components: { schemas: { Error: ErrorBody, ...querySchemas, ...Object.fromEntries(schemas) } },
  };
}
