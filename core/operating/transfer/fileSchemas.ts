import Type, { type TSchema } from "typebox";
import { isObject, type NamedSchemas } from "../../base/index.ts";
import { componentSchemas, givenSchema } from "../../http/index.ts";
import { declarations, hierarchyFields, type Association } from "../../resources/index.ts";
import { carried, declarationOf, kindNames, kinds, type KindName } from "./kinds.ts";
import { placeholderPattern, secretive } from "./placeholders.ts";

const Id = Type.String({ description: "an id, to which other files refer" });
const closed = { additionalProperties: false } as const;
const Placeholder = Type.String({
  pattern: placeholderPattern,
  description: "an environment variable, such as ${MANIFOLD_ACCOUNT_TOKEN}",
});

const Source = Type.Union(
  [
    Type.Object({ kind: Type.Literal("pushed") }, closed),
    Type.Object({ kind: Type.Literal("plugin"), account: Id, dataset: Type.String() }, closed),
    Type.Object(
      {
        kind: Type.Literal("statement"),
        account: Id,
        query: Type.String(),
        parameters: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
      },
      closed,
    ),
  ],
  { description: "where the rows of the dataset come from" },
);

const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

const Element = Type.Object(
  {
    id: Type.String({ description: "the value" }),
    ...Object.fromEntries(
      Object.entries(hierarchyFields).map(([member, field]) => [
        member,
        Type.Optional(orNull(givenSchema(field))),
      ]),
    ),
  },
  closed,
);

const rightsOf = (flags: readonly string[]): readonly string[] =>
  flags.map((flag) => flag.slice("flag".length).toLowerCase());

function linkSchema(association: Association | undefined): TSchema {
  const link = association?.kind === "through" ? association.link : undefined;
  const rights = rightsOf(link?.flags ?? []);
  const { choice } = link ?? {};
  return Type.Array(
    Type.Object(
      {
        id: Id,
        ...(rights.length > 0 && { right: Type.Optional(Type.Enum([...rights])) }),
        ...(choice && { [choice.member]: Type.Optional(Type.Enum([...choice.values])) }),
        ...Object.fromEntries(
          Object.entries(link?.fields ?? {}).map(([member, field]) => [
            member,
            Type.Optional(orNull(givenSchema(field))),
          ]),
        ),
      },
      closed,
    ),
  );
}

/** Returns the schema of a record's properties. Those of a channel depend on its type. */
function propertiesOf(kind: KindName): TSchema {
  const { variants } = declarationOf(kind);
  const placed = (schema: TSchema) =>
    secretive.includes(kind) ? Type.Union([schema, Placeholder]) : schema;
  const members = Object.fromEntries(
    [...carried(kind)].map(([member, field]) => {
      const schema = placed(givenSchema(field));
      return [member, field.required ? schema : Type.Optional(orNull(schema))] as const;
    }),
  );
  if (!variants) return Type.Object(members, closed);
  return Type.Union(
    Object.entries(variants.members).map(([value, others]) =>
      Type.Object({ ...members, [variants.by]: Type.Literal(value), ...others }, closed),
    ),
  );
}

function recordSchema(kind: KindName): TSchema {
  const { links, folder } = kinds[kind];
  const { associations } = declarationOf(kind);
  const { Users: users } = associations;
  const flags = users?.kind === "through" ? users.link.flags : [];
  return Type.Object(
    {
      ...(folder !== undefined && { $schema: Type.Optional(Type.String()) }),
      id: Id,
      properties: propertiesOf(kind),
      ...(links.length > 0 && {
        links: Type.Optional(
          Type.Object(
            Object.fromEntries(
              links.map((name) => [name, Type.Optional(linkSchema(associations[name]))]),
            ),
            closed,
          ),
        ),
      }),
      ...(kind === "dataset" && {
        source: Source,
        columns: Type.Optional(Type.Array(recordSchema("column"))),
      }),
      ...(kind === "column" && {
        elements: Type.Optional(Type.Array(Element)),
        levels: Type.Optional(Type.Array(recordSchema("hierarchylevel"))),
      }),
      ...(kind === "group" && {
        members: Type.Optional(
          Type.Array(
            Type.Object(
              {
                email: Type.String(),
                right: Type.Optional(Type.Enum([...rightsOf(flags ?? [])])),
              },
              closed,
            ),
          ),
        ),
      }),
    },
    closed,
  );
}

const Manifest = Type.Object({
  $schema: Type.Optional(Type.String()),
  format: Type.Literal("manifold-tenant"),
  version: Type.Literal(1),
  organization: Type.Object({ id: Id, name: Type.Unknown() }),
});

const prefix = "#/components/schemas/";

/** Makes references lead to `$defs` of the same file, and collects the names to which they lead. */
function local(value: unknown, names: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => local(each, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => {
      if (member !== "$ref" || typeof each !== "string" || !each.startsWith(prefix))
        return [member, local(each, names)];
      const name = each.slice(prefix.length);
      names.add(name);
      return [member, `#/$defs/${name}`];
    }),
  );
}

/** Returns a schema as a JSON document of its own, with everything to which it refers. */
function documentOf(kind: string, schema: TSchema, schemas: NamedSchemas): unknown {
  const names = new Set<string>();
  const own = local(schema, names);
  // A set can grow while it is iterated, so the names in referred schemas are followed too.
  const parts: Record<string, unknown> = {};
  for (const name of names) parts[name] = local(schemas[name], names);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `Manifold ${kind}`,
    ...(isObject(own) ? own : {}),
    ...(names.size > 0 && { $defs: parts }),
  };
}

/** Returns the JSON schema of each kind of file in an exported folder, from the declarations of the records. */
export function fileSchemas(): ReadonlyMap<string, unknown> {
  const schemas = componentSchemas(declarations);
  return new Map([
    ["manifest", documentOf("manifest", Manifest, schemas)] as const,
    ...kindNames
      .filter((kind) => kinds[kind].folder !== undefined)
      .map((kind) => [kind, documentOf(kind, recordSchema(kind), schemas)] as const),
  ]);
}
