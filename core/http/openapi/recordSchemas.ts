import Type, { type TSchema } from "typebox";
import type { Declaration, Field } from "../../resources/index.ts";

const nullable = (field: Field): TSchema =>
  field.nullable ? Type.Union([field.schema, Type.Null()]) : field.schema;

const shown = (field: Field) => !field.secret && !field.hidden;

/**
 * Returns the schema of a record in a response, without secret and hidden members. Only `id` is always present, because
 * `attributes` selects the other members. Includes add members.
 */
export function recordSchema({ fields, computed }: Declaration): TSchema {
  const schemas = [
    ...Object.entries(fields)
      .filter(([, field]) => shown(field))
      .map(([member, field]) => [member, nullable(field)] as const),
    ...Object.entries(computed?.schemas ?? {}),
  ];
  return Type.Object(
    Object.fromEntries(
      schemas.map(([member, schema]) => [member, member === "id" ? schema : Type.Optional(schema)]),
    ),
  );
}

/**
 * Returns the schema of the answer to `create`: the record, the members that are shown only once, and the members next
 * to the record.
 */
export function createdSchema(declaration: Declaration, record: TSchema): TSchema {
  const once = (declaration.shownOnce ?? []).map((member) => [
    member,
    Type.Optional(Type.String({ description: "shown only this once" })),
  ]);
  const besides = { ...Object.fromEntries(once), ...besideSchemas(declaration, "create") };
  return withBesides(record, besides);
}

/** Returns the schema of a record with the additional members in the answer of an action. */
export function changedSchema(declaration: Declaration, record: TSchema): TSchema {
  return withBesides(record, besideSchemas(declaration, "update"));
}

/** Returns the schemas of the additional members in the answer of an action. All are optional. */
export function besideSchemas(
  { shownBeside }: Declaration,
  action: "create" | "update" | "validate",
): Readonly<Record<string, TSchema>> {
  const given = Object.entries(shownBeside?.[action] ?? {});
  return Object.fromEntries(given.map(([member, schema]) => [member, Type.Optional(schema)]));
}

function withBesides(record: TSchema, besides: Readonly<Record<string, TSchema>>): TSchema {
  if (Object.keys(besides).length === 0) return record;
  return Type.Intersect([record, Type.Object(besides)]);
}

/** Returns the schema of the `properties` that callers may set in an action. Other members are refused. */
export function propertiesSchema(
  { fields, inputs }: Declaration,
  action: "create" | "update" | "delete",
): TSchema {
  return Type.Object(
    Object.fromEntries(
      Object.entries({ ...fields, ...inputs })
        .filter(([, { on }]) => on.includes(action))
        .map(([member, field]) => [
          member,
          action === "create" && field.required ? nullable(field) : Type.Optional(nullable(field)),
        ]),
    ),
  );
}

/** Returns the schema of `find` for a search in a resource. */
export function findSchema({ fields, associations }: Declaration): TSchema {
  const searchable = Object.entries(fields)
    .filter(([, field]) => shown(field))
    .map(([member]) => member);
  const Names = Type.Optional(Type.Array(Type.String()));
  const Deeper = Type.Optional(Type.Array(Type.Unknown()));
  const include = Type.Array(
    Type.Union([
      Type.String(),
      Type.Object({
        model: Type.String({ examples: Object.keys(associations) }),
        as: Type.Optional(Type.String({ description: "the role, if the model has several" })),
        attributes: Names,
        where: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        order: Deeper,
        include: Deeper,
        jointype: Type.Optional(Type.Union([Type.Literal("inner"), Type.Literal("left")])),
      }),
    ]),
  );
  return Type.Object({
    where: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: `members: ${searchable.join(", ")}`,
      }),
    ),
    search: Type.Optional(
      Type.Object({
        keyphrase: Type.String(),
        match_types: Type.Optional(Type.Array(Type.String())),
      }),
    ),
    attributes: Names,
    include: Type.Optional(include),
    order: Type.Optional(Type.Array(Type.Unknown())),
    limit: Type.Optional(Type.Integer({ minimum: 0 })),
    offset: Type.Optional(Type.Integer({ minimum: 0 })),
  });
}
