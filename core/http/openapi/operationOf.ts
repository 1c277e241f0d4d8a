import Type, { type TSchema } from "typebox";
import { actionsOf, type Action, type RecordAction, recordActions } from "../../base/index.ts";
import type { Declaration } from "../../resources/index.ts";
import { assistantOperations } from "./assistantSchemas.ts";
import { linkName } from "./linkSchemas.ts";
import { jobOperations } from "./jobSchemas.ts";
import { peopleOperations } from "./peopleSchemas.ts";
import {
  besideSchemas,
  candidateSchema,
  changedSchema,
  createdSchema,
  findSchema,
  propertiesSchema,
} from "./recordSchemas.ts";
import { pascal, reference } from "./reference.ts";
import { serviceOperations, type ServiceOperation } from "./serviceSchemas.ts";
import { sharingOperations } from "./sharingSchemas.ts";
import { summaryOf } from "./summaryOf.ts";
import { tokenOperations } from "./tokenSchemas.ts";

const Done = Type.Object({ code: Type.Literal(200) });

/** Operations other than the common actions on records, by resource. */
const tables = [
  serviceOperations,
  jobOperations,
  tokenOperations,
  peopleOperations,
  sharingOperations,
  assistantOperations,
];

/** Describes an action of a resource or service; undefined if it has no description. */
export function operationOf(
  resource: string,
  action: Action,
  declarations: ReadonlyMap<string, Declaration>,
): ServiceOperation | undefined {
  const declaration = declarations.get(resource);
  const recordAction = recordActions.find((each) => each === action);
  if (declaration && recordAction) return resourceOperation(declaration, recordAction);
  return tables.map((table) => table[resource]?.[action]).find((found) => found !== undefined);
}

/** Lists every described action by resource. Resources with a declaration come before services. */
export function describedActions(
  declarations: ReadonlyMap<string, Declaration>,
): ReadonlyMap<string, readonly Action[]> {
  const described = new Map<string, Set<Action>>();
  const add = (resource: string, listed: readonly Action[]) =>
    described.set(resource, new Set([...(described.get(resource) ?? []), ...listed]));
  for (const { name, actions } of declarations.values()) add(name, actions);
  for (const table of tables)
    for (const [resource, offered] of Object.entries(table)) add(resource, actionsOf(offered));
  return new Map([...described].map(([resource, listed]) => [resource, [...listed]]));
}

function linkPropertiesOf(declaration: Declaration): TSchema {
  const name = linkName(declaration);
  return name === undefined ? Type.Record(Type.String(), Type.Unknown()) : reference(name);
}

function resourceOperation(declaration: Declaration, action: RecordAction): ServiceOperation {
  return { summary: summaryOf(declaration.name, action), ...callOf(declaration, action) };
}

function callOf(
  declaration: Declaration,
  action: RecordAction,
): Pick<ServiceOperation, "members" | "answer"> {
  const record = reference(pascal(declaration.name));
  const isUuid = declaration.fields["id"]?.storage === "uuid";
  const Identifier = isUuid ? Type.String({ format: "uuid" }) : Type.String();
  const roleNames = Object.keys(declaration.associations);
  const roles = roleNames.join(", ");
  const target = { role: Type.Enum(roleNames), id: Type.String() };
  const Associated = Type.Object(target, {
    description: `The record at the other end. Roles: ${roles}.`,
  });
  const properties = Type.Optional(linkPropertiesOf(declaration));
  const Linked = (description: string) =>
    Type.Optional(
      Type.Array(Type.Object({ ...Associated.properties, properties }), { description }),
    );
  const dissociations = Type.Optional(
    Type.Array(Type.Object(target), {
      description: "Further records to dissociate in the same transaction, all or nothing.",
    }),
  );
  switch (action) {
    case "create":
      return {
        members: {
          properties: propertiesSchema(declaration, "create"),
          ...declaration.readBeside?.create,
          ...(roles !== "" && {
            associations: Linked(
              `Records to associate in the same transaction, all or nothing. Roles: ${roles}.`,
            ),
          }),
        },
        answer: createdSchema(declaration, record),
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
    case "associate": {
      const associations = Linked(
        "Further records to associate in the same transaction, all or nothing.",
      );
      return {
        members: { id: Identifier, resource: Associated, properties, associations, dissociations },
        answer: Type.Intersect([record, Done]),
      };
    }
    case "dissociate":
      return {
        members: { id: Identifier, resource: Associated, dissociations },
        answer: Type.Intersect([record, Done]),
      };
    case "validate":
      return {
        members: {
          id: Type.Optional({
            ...Identifier,
            description: "The record to update. Absent: the call validates a `create`.",
          }),
          properties: candidateSchema(declaration),
        },
        answer: Type.Object({
          valid: Type.Boolean(),
          type: Type.Optional(
            Type.String({
              description: "The stable name of the error that the action would cause.",
            }),
          ),
          message: Type.Optional(
            Type.String({ description: "What is wrong, what is allowed, and what to do." }),
          ),
          ...besideSchemas(declaration, "validate"),
        }),
      };
  }
}
