import Type, { type TSchema } from "typebox";
import type { Action } from "../call.ts";

/** Request members and answer of one action of a service. */
export interface ServiceOperation {
  readonly members: Readonly<Record<string, TSchema>>;
  readonly answer: TSchema;
}

const Cell = Type.Union([Type.String(), Type.Number(), Type.Null()]);
const Items = Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown())));
const QueryItem = Type.Object({
  dimensions: Items,
  measures: Items,
  where: Type.Optional(Type.Array(Type.Unknown())),
  having: Type.Optional(Type.Array(Type.Unknown())),
  order: Items,
  limit: Type.Optional(Type.Object({ by: Type.Integer(), offset: Type.Optional(Type.Integer()) })),
  options: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
const phases = ["validating", "preparing", "queuing", "querying", "processing", "rows"];
const QueryAnswer = Type.Object({
  cached: Type.Boolean(),
  performance: Type.Object(Object.fromEntries(phases.map((phase) => [phase, Type.Number()]))),
  data: Type.Array(Type.Array(Type.Unknown())),
});
const Records = Type.Object({
  count: Type.Integer(),
  rows: Type.Array(Type.Record(Type.String(), Type.Unknown())),
});
const Provider = { provider: Type.String(), account_id: Type.String({ format: "uuid" }) };

/** The services, which are no resources, by name and action. */
export const serviceOperations: Readonly<
  Record<string, Partial<Record<Action, ServiceOperation>>>
> = {
  data: {
    create: {
      members: {
        properties: Type.Object({
          type: Type.Optional(
            Type.Union([Type.Literal("create"), Type.Literal("append"), Type.Literal("replace")]),
          ),
          securable_id: Type.Optional(Type.String({ format: "uuid" })),
          data: Type.Array(Type.Array(Cell), { maxItems: 10_000 }),
          options: Type.Optional(
            Type.Object({
              header: Type.Optional(Type.Array(Type.String())),
              name: Type.Optional(Type.Record(Type.String(), Type.String())),
              update_metadata: Type.Optional(Type.Boolean()),
            }),
          ),
        }),
      },
      answer: Records,
    },
    get: {
      members: { find: Type.Union([Type.Object({ queries: Type.Array(QueryItem) }), QueryItem]) },
      answer: Type.Union([QueryAnswer, Type.Array(QueryAnswer)]),
    },
  },
  hierarchy: {
    get: {
      members: {
        find: Type.Object({
          where: Type.Object({ column_id: Type.String({ format: "uuid" }) }),
          limit: Type.Optional(Type.Integer()),
          offset: Type.Optional(Type.Integer()),
        }),
      },
      answer: Records,
    },
    update: {
      members: {
        id: Type.String({ format: "uuid", description: "of the column" }),
        properties: Type.Object({
          updates: Type.Array(Type.Object({ id: Type.String({ description: "the value" }) })),
        }),
      },
      answer: Type.Object({ id: Type.String(), count: Type.Integer(), code: Type.Literal(200) }),
    },
  },
  dataprovider: {
    get: { members: { find: Type.Object(Provider) }, answer: Records },
    create: {
      members: {
        properties: Type.Object({
          ...Provider,
          datasets: Type.Optional(Type.Array(Type.String())),
          tables: Type.Optional(
            Type.Array(Type.Object({ schema: Type.Optional(Type.String()), table: Type.String() })),
          ),
        }),
      },
      answer: Type.Object({
        count: Type.Integer(),
        data: Type.Array(Type.Record(Type.String(), Type.Unknown())),
      }),
    },
  },
};
