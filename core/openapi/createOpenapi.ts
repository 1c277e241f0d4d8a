import Type, { type TSchema } from "typebox";
import {
  actionsOf,
  type Action,
  type Handlers,
  type RecordAction,
  recordActions,
} from "../contracts/index.ts";
import type { Declaration } from "../resources/index.ts";
import { assistantOperations } from "./assistantSchemas.ts";
import {
  besideSchemas,
  changedSchema,
  createdSchema,
  findSchema,
  propertiesSchema,
  recordSchema,
} from "./recordSchemas.ts";
import { jobOperations } from "./jobSchemas.ts";
import { peopleOperations } from "./peopleSchemas.ts";
import { sessionPaths } from "./sessionPaths.ts";
import { tokenOperations } from "./tokenSchemas.ts";
import { serviceOperations, type ServiceOperation } from "./serviceSchemas.ts";

const Target = Type.Object({ role: Type.String(), id: Type.String() });
const Done = Type.Object({ code: Type.Literal(200) });
const reference = (name: string): TSchema => Type.Unsafe({ $ref: `#/components/schemas/${name}` });
const pascal = (name: string) =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

function resourceOperation(declaration: Declaration, action: RecordAction): ServiceOperation {
  const record = reference(pascal(declaration.name));
  const isUuid = declaration.fields["id"]?.storage === "uuid";
  const Identifier = isUuid ? Type.String({ format: "uuid" }) : Type.String();
  switch (action) {
    case "create":
      return {
        members: { properties: propertiesSchema(declaration, "create") },
        answer: createdSchema(declaration),
      };
    case "get":
      return {
        members: { find: Type.Optional(findSchema(declaration)) },
        answer: Type.Object({ count: Type.Integer(), rows: Type.Array(record) }),
      };
    case "update":
      return {
        members: { id: Identifier, properties: propertiesSchema(declaration, "update") },
        answer: changedSchema(declaration, record),
      };
    case "delete": {
      const properties = propertiesSchema(declaration, "delete");
      const isEmpty = Object.keys(declaration.inputs ?? {}).length === 0;
      return {
        members: { id: Identifier, ...(!isEmpty && { properties: Type.Optional(properties) }) },
        answer: Done,
      };
    }
    case "associate":
    case "dissociate": {
      const roles = Object.keys(declaration.associations).join(", ");
      const members = {
        id: Identifier,
        resource: Type.Object(Target.properties, { description: `roles: ${roles}` }),
      };
      const properties = Type.Optional(Type.Record(Type.String(), Type.Unknown()));
      return {
        members: action === "associate" ? { ...members, properties } : members,
        answer: Type.Intersect([record, Done]),
      };
    }
    case "validate":
      return {
        members: { properties: Type.Record(Type.String(), Type.Unknown()) },
        answer: Type.Object({
          valid: Type.Boolean(),
          type: Type.Optional(Type.String()),
          message: Type.Optional(Type.String()),
          ...besideSchemas(declaration, "validate"),
        }),
      };
  }
}

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
        default: { description: "refused or failed", content: json(reference("Error")) },
      },
    },
  };
}

const ErrorBody = Type.Object({
  code: Type.Integer({ description: "the HTTP status" }),
  type: Type.Object({
    code: Type.String({ description: "the stable name" }),
    description: Type.String(),
  }),
  message: Type.String(),
  validation: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  request_id: Type.String(),
});

export interface OpenapiParts {
  readonly handlers: Handlers;
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** Address of the host. */
  readonly url: string;
}

/**
 * Describes the API as OpenAPI 3.1, one operation per resource and action. All share the resource's path; the body
 * distinguishes them; the query string in a path (`/0.1.0/account?create`) only keeps them apart here, and is ignored
 * when sent.
 */
export function createOpenapi({ handlers, declarations, url }: OpenapiParts): unknown {
  const operations = [...handlers].flatMap(([resource, offered]) =>
    actionsOf(offered).map((action) => {
      const declaration = declarations.get(resource);
      const recordAction = recordActions.find((each) => each === action);
      const operation =
        declaration && recordAction
          ? resourceOperation(declaration, recordAction)
          : [
              serviceOperations,
              jobOperations,
              tokenOperations,
              peopleOperations,
              assistantOperations,
            ]
              .map((operations) => operations[resource]?.[action])
              .find((found) => found !== undefined);
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
        "Every call is a POST of JSON; the body's action chooses the operation, key and token say who asks.",
    },
    servers: [{ url }],
    paths: { ...Object.fromEntries(operations), ...sessionPaths(reference("Error")) },
    components: { schemas: { Error: ErrorBody, ...Object.fromEntries(schemas) } },
  };
}
