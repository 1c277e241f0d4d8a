import Type, { type TSchema } from "typebox";
import type { NamedSchemas } from "../../base/index.ts";
import type { Association, Declaration } from "../../resources/index.ts";
import { givenSchema } from "./recordSchemas.ts";
import { pascal } from "./reference.ts";

/** Returns the members that callers may set in the links of an association, all of which are optional. */
function membersOf(association: Association): Readonly<Record<string, TSchema>> {
  if (association.kind !== "through") return {};
  const { flags = [], choice, fields = {} } = association.link;
  return {
    ...Object.fromEntries(flags.map((flag) => [flag, Type.Optional(Type.Boolean())])),
    ...(choice && { [choice.member]: Type.Optional(Type.Enum([...choice.values])) }),
    ...Object.fromEntries(
      Object.entries(fields).map(([member, field]) => {
        const { description } = field;
        const described = description === undefined ? {} : { description };
        return [member, Type.Optional(Type.Union([givenSchema(field), Type.Null()], described))];
      }),
    ),
  };
}

/** Returns the schema of the properties of a record's links; undefined if none of its links has properties. */
function linkSchema({ name, associations }: Declaration): TSchema | undefined {
  const members = Object.assign({}, ...Object.values(associations).map(membersOf));
  if (Object.keys(members).length === 0) return undefined;
  return Type.Object(members, {
    description: `The properties of a link of ${name}. Which of them apply depends on the role.`,
  });
}

/** Returns the name of the schema of the properties of a record's links; undefined if they have none. */
export function linkName(declaration: Declaration): string | undefined {
  return linkSchema(declaration) && `${pascal(declaration.name)}Link`;
}

/** Returns the schemas of the properties of links, by name. */
export function linkSchemas(declarations: ReadonlyMap<string, Declaration>): NamedSchemas {
  return Object.fromEntries(
    [...declarations.values()].flatMap((declaration) => {
      const [name, schema] = [linkName(declaration), linkSchema(declaration)];
      return name === undefined || !schema ? [] : [[name, schema] as const];
    }),
  );
}
