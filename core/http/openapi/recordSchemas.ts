import Type, { type TSchema } from "typebox";
import type { NamedSchemas } from "../../base/index.ts";
import type { Declaration, Field } from "../../resources/index.ts";
import { pascal, reference } from "./reference.ts";

/** Returns the schema of a member in a call, or in a response. */
function schemaOf(field: Field, where: "given" | "shown"): TSchema {
  const { schema, described, nullable, description } = field;
  const own = (where === "shown" ? described?.shown : undefined) ?? described?.given ?? schema;
  const all = nullable ? Type.Union([own, Type.Null()]) : own;
  return description === undefined ? all : { ...all, description };
}

/** Returns the schema of a member in a call. */
export const givenSchema = (field: Field): TSchema => schemaOf(field, "given");

const shown = (field: Field) => !field.secret && !field.hidden;

/**
 * Returns the schema of a record in a response, without secret and hidden members. Only `id` is always present, because
 * `attributes` selects the other members. Included records are additional members.
 */
export function recordSchema({ fields, computed }: Declaration): TSchema {
  const schemas = [
    ...Object.entries(fields)
      .filter(([, field]) => shown(field))
      .map(([member, field]) => [member, schemaOf(field, "shown")] as const),
    ...Object.entries(computed?.schemas ?? {}),
  ];
  return Type.Object(
    Object.fromEntries(
      schemas.map(([member, schema]) => [member, member === "id" ? schema : Type.Optional(schema)]),
    ),
  );
}

/** Returns the schemas of all records, by name. */
export function recordSchemas(declarations: ReadonlyMap<string, Declaration>): NamedSchemas {
  return Object.fromEntries(
    [...declarations.values()].map((each) => [pascal(each.name), recordSchema(each)]),
  );
}

/**
 * Returns the schema of the answer to `create`: the record, the members that are shown only once, and the members next
 * to the record.
 */
export function createdSchema(declaration: Declaration, record: TSchema): TSchema {
  const once = (declaration.shownOnce ?? []).map((member) => [
    member,
    Type.String({ description: "A secret that is shown only once." }),
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
  { fields, inputs, variants }: Declaration,
  action: "create" | "update" | "delete",
): TSchema {
  const members = Object.fromEntries(
    Object.entries({ ...fields, ...inputs })
      .filter(([, { on }]) => on.includes(action))
      .map(([member, field]) => [
        member,
        action === "create" && field.required
          ? schemaOf(field, "given")
          : Type.Optional(schemaOf(field, "given")),
      ]),
  );
  if (!variants || action !== "create") return Type.Object(members);
  const { description } = fields[variants.by] ?? {};
  const described = description === undefined ? {} : { description };
  return Type.Union(
    Object.entries(variants.members).map(([value, others]) =>
      Type.Object({ ...members, [variants.by]: Type.Literal(value, described), ...others }),
    ),
  );
}

/**
 * Returns the schema of the `properties` of a validation: everything that a create or an update accepts. All members
 * may be missing.
 */
export function candidateSchema({ fields, inputs }: Declaration): TSchema {
  return Type.Object(
    Object.fromEntries(
      Object.entries({ ...fields, ...inputs })
        .filter(([, { on }]) => on.includes("create") || on.includes("update"))
        .map(([member, field]) => [member, Type.Optional(schemaOf(field, "given"))]),
    ),
  );
}

const Names = Type.Optional(Type.Array(Type.String()));
const Where = Type.Record(Type.String(), Type.Unknown());
const Order = Type.Array(Type.Union([Type.String(), Type.Array(Type.String())]), {
  description: "Members to sort by, or pairs of a member and `asc` or `desc`.",
});
const Includes = Type.Array(Type.Union([Type.String(), reference("FindInclude")]));

/** Records to include in each record of an answer. */
export const FindInclude = Type.Object(
  {
    model: Type.String({
      description:
        "The resource of the included records, such as `Column`, or the name of the association, such as `Datasets`.",
    }),
    as: Type.Optional(
      Type.String({ description: "The role of the association, if the resource has several." }),
    ),
    attributes: Names,
    where: Type.Optional(Where),
    order: Type.Optional(Order),
    include: Type.Optional(Includes),
    separate: Type.Optional(Type.Boolean({ description: "Accepted but ignored." })),
    jointype: Type.Optional(
      Type.Enum(["inner", "left"], {
        type: "string",
        description:
          "`inner` omits records without an included record, `left` keeps them. Absent: `left`.",
      }),
    ),
  },
  { description: "Records to include in each record of an answer." },
);

/** Returns the schema of `find` for a search in a resource. */
export function findSchema({ fields, associations }: Declaration): TSchema {
  const searchable = Object.entries(fields)
    .filter(([, field]) => shown(field))
    .map(([member]) => member);
  const include = {
    ...Includes,
    description: `Associated records to return within each record. Associations: ${Object.keys(associations).join(", ")}.`,
  };
  return Type.Object({
    where: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: `Conditions on these members: ${searchable.join(", ")}.`,
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
    order: Type.Optional(Order),
    limit: Type.Optional(Type.Integer({ minimum: 0 })),
    offset: Type.Optional(Type.Integer({ minimum: 0 })),
  });
}
