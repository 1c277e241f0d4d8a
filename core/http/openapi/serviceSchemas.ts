import Type, { type TSchema } from "typebox";
import { type Action, arrowType } from "../../base/index.ts";
import { formatNames, isDataFormat } from "../../exports/index.ts";
import { QueryFind } from "./querySchemas.ts";
import { reference } from "./reference.ts";

/** The request members and the answer of an action of a service. */
export interface ServiceOperation {
  readonly members: Readonly<Record<string, TSchema>>;
  readonly answer: TSchema;
  /** A further media type of the answer, for clients that accept it. */
  readonly otherType?: { readonly mediaType: string; readonly description: string };
}

const Cell = Type.Unknown({ description: "a string, a number, true, false or null" });
const phases = ["validating", "preparing", "queuing", "querying", "processing", "rows"];
const Performance = Type.Object(Object.fromEntries(phases.map((phase) => [phase, Type.Number()])));
const PushProperties = Type.Object({
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
});
const PushId = Type.Optional(
  Type.String({
    pattern: "^[\\w.:-]{1,200}$",
    description:
      "identifies the push: if the same token sends it again within a day, it is not carried out twice",
  }),
);
const StatementParameter = Type.Object(
  {
    parameter: Type.String({ description: "the name, with or without the prefix metadata." }),
    type: Type.String({
      description: "the type of its value, such as hierarchy or array[numeric]",
    }),
    value: Type.Optional(Type.Unknown({ description: "the default" })),
  },
  { description: "a parameter of the statement, written {{name}}" },
);
const Plugin = { plugin: Type.String() };
const ExplainedParts = Type.Array(
  Type.Object({
    dataset_id: Type.Union([Type.String(), Type.Null()]),
    ...Plugin,
    clauses: Type.Array(Type.String()),
    rows: Type.Union([Type.Integer(), Type.Null()]),
    milliseconds: Type.Number(),
    failure: Type.Optional(Type.String()),
  }),
);
const Explanation = Type.Object({
  datasets: Type.Array(
    Type.Object({
      id: Type.String(),
      ...Plugin,
      live: Type.Boolean(),
      cache: Type.Union([Type.Number({ description: "seconds" }), Type.Null()]),
    }),
  ),
  mode: Type.String(),
  steps: Type.Array(
    Type.Object({
      clause: Type.String(),
      pushed: Type.Boolean(),
      checked: Type.Optional(
        Type.Boolean({
          description: "whether the host repeated the step because the plugin is not verified",
        }),
      ),
      reason: Type.Optional(Type.String()),
    }),
  ),
  filters: Type.Array(
    Type.Object({
      origin: Type.String({ description: "question, token, filter_group or share" }),
      dataset_id: Type.Optional(Type.String()),
      column_id: Type.Optional(Type.String()),
      expression: Type.Optional(Type.String()),
      checked: Type.Optional(
        Type.Boolean({
          description: "whether the host tested the rows again because the plugin is not verified",
        }),
      ),
    }),
  ),
  cache: Type.Object({
    state: Type.String({ description: "off, miss, shared or hit" }),
    age: Type.Number({ description: "milliseconds since the sources were queried" }),
  }),
  parts: ExplainedParts,
  probes: ExplainedParts,
});
const QueryAnswer = Type.Object({
  cached: Type.Boolean(),
  performance: Performance,
  explain: Type.Optional(Explanation),
  data: Type.Array(Type.Array(Type.Unknown())),
});
/** An explanation of a query, without rows. For a failed query it contains an error instead. */
const ExplainedAnswer = Type.Object({
  cached: Type.Boolean(),
  performance: Performance,
  explain: Type.Optional(Explanation),
});
const Records = Type.Object({
  count: Type.Integer(),
  rows: Type.Array(Type.Record(Type.String(), Type.Unknown())),
});
const JobState = Type.Union(
  (["waiting", "running", "completed", "failed", "cancelled"] as const).map((state) =>
    Type.Literal(state),
  ),
);
const Provider = {
  provider: Type.Optional(Type.String({ description: "the provider of the account, if given" })),
  account_id: Type.String({ format: "uuid" }),
};

const Nullable = (type: TSchema) => Type.Union([type, Type.Null()]);
const Instant = Type.String({ format: "date-time" });
const ExportJob = Type.Object({
  id: Type.String({ format: "uuid" }),
  type: Type.String(),
  status: Type.Union(
    (["waiting", "running", "done", "failed"] as const).map((status) => Type.Literal(status)),
  ),
  cell_count: Nullable(Type.Integer()),
  size_bytes: Type.Integer({ description: "bytes written so far" }),
  failure: Nullable(Type.String()),
  url: Nullable(Type.String({ description: "URL of the file when it is complete" })),
  expires_at: Instant,
  created_at: Instant,
  completed_at: Nullable(Instant),
});

function exportOperation(description: string, formats: readonly string[]): ServiceOperation {
  const size = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }));
  return {
    members: {
      properties: Type.Object({
        type: Type.Optional(Type.Union(formats.map((each) => Type.Literal(each)))),
        query: Type.Optional(reference("Query")),
        securable_id: Type.Optional(
          Type.String({
            format: "uuid",
            description: "id of a dashboard; send it instead of query",
          }),
        ),
        item_id: Type.Optional(Type.String({ description: "id of an item of the dashboard" })),
        width: size(4_000),
        height: size(4_000),
        scale: size(4),
        theme: Type.Optional(Type.Union([Type.Literal("light"), Type.Literal("dark")])),
        locale_id: Type.Optional(Type.String()),
        timezone_id: Type.Optional(Type.String()),
        deliver: Type.Optional(
          Type.Union([Type.Literal("file"), Type.Literal("link")], {
            description:
              "link: a job writes the file (202); file: never a job; absent: a job for large files",
          }),
        ),
      }),
    },
    answer: Type.Unknown({
      description: "with type json, the same as data get; with status 202, the job",
    }),
    otherType: { mediaType: "application/octet-stream", description },
  };
}

/** The services, which are not resources, by name and action. */
export const serviceOperations: Readonly<
  Record<string, Partial<Record<Action, ServiceOperation>>>
> = {
  data: {
    create: {
      members: { request_id: PushId, properties: PushProperties },
      answer: Type.Object({
        ...Records.properties,
        warnings: Type.Optional(Type.Array(Type.String())),
      }),
    },
    validate: {
      members: { properties: PushProperties },
      answer: Type.Object({
        valid: Type.Boolean({ description: "whether create would store these rows" }),
        columns: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
        warnings: Type.Optional(Type.Array(Type.String())),
        message: Type.Optional(Type.String()),
      }),
    },
    get: {
      members: { find: QueryFind },
      answer: Type.Union([QueryAnswer, Type.Array(QueryAnswer)]),
      otherType: {
        mediaType: arrowType,
        description: "the rows of one query; other members are in the metadata of the schema",
      },
    },
    explain: {
      members: { find: QueryFind },
      answer: Type.Union([ExplainedAnswer, Type.Array(ExplainedAnswer)]),
    },
  },
  export: {
    create: exportOperation("a query, an item or a dashboard as a file", formatNames),
    get: {
      members: {
        find: Type.Optional(
          Type.Object({
            where: Type.Optional(
              Type.Object({ id: Type.Optional(Type.String({ format: "uuid" })) }),
            ),
          }),
        ),
      },
      answer: Type.Object({ count: Type.Integer(), rows: Type.Array(ExportJob) }),
    },
    delete: {
      members: { id: Type.String({ format: "uuid" }) },
      answer: Type.Object({ code: Type.Integer() }),
    },
  },
  dataexport: {
    create: exportOperation(
      "a query or an item as a file of rows",
      formatNames.filter(isDataFormat),
    ),
  },
  hierarchy: {
    get: {
      members: {
        find: Type.Object({
          where: Type.Object({
            column_id: Type.Optional(Type.String({ format: "uuid" })),
            id: Type.Optional(
              Type.String({
                format: "uuid",
                description: "the id of the column; send it instead of column_id",
              }),
            ),
            value: Type.Optional(
              Type.String({ description: "returns only this value of the column" }),
            ),
          }),
          limit: Type.Optional(Type.Integer()),
          offset: Type.Optional(Type.Integer()),
        }),
      },
      answer: Records,
    },
    update: {
      members: {
        id: Type.String({ format: "uuid", description: "the id of the column" }),
        properties: Type.Object({
          updates: Type.Array(
            Type.Object({
              id: Type.String({
                description: "the value; it is removed when all its members are null",
              }),
              name: Type.Optional(Nullable(Type.Record(Type.String(), Type.String()))),
              color: Type.Optional(Nullable(Type.String())),
              virtual: Type.Optional(Type.Boolean()),
              trace: Type.Optional(Nullable(Type.Array(Type.String()))),
              level: Type.Optional(Nullable(Type.Number())),
              subTreeLevel: Type.Optional(Nullable(Type.Number())),
            }),
          ),
        }),
      },
      answer: Type.Object({ id: Type.String(), count: Type.Integer(), code: Type.Literal(200) }),
    },
  },
  job: {
    get: {
      members: {
        find: Type.Optional(
          Type.Object({
            where: Type.Optional(
              Type.Object({
                id: Type.Optional(Type.String({ format: "uuid" })),
                name: Type.Optional(Type.String()),
                state: Type.Optional(Type.Union([JobState, Type.Array(JobState)])),
              }),
            ),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
            offset: Type.Optional(Type.Integer()),
          }),
        ),
      },
      answer: Records,
    },
    update: {
      members: {
        id: Type.String({ format: "uuid" }),
        properties: Type.Object({
          state: Type.Union([Type.Literal("waiting"), Type.Literal("cancelled")]),
        }),
      },
      answer: Type.Record(Type.String(), Type.Unknown()),
    },
  },
  dataprovider: {
    get: {
      members: {
        find: Type.Object({
          provider: Type.Optional(Type.String()),
          account_id: Type.Optional(
            Type.String({
              format: "uuid",
              description: "absent for the list of providers, or for the properties of one",
            }),
          ),
        }),
      },
      answer: Records,
    },
    create: {
      members: {
        properties: Type.Object({
          ...Provider,
          datasets: Type.Optional(Type.Array(Type.String())),
          tables: Type.Optional(
            Type.Array(Type.Object({ schema: Type.Optional(Type.String()), table: Type.String() })),
          ),
          query: Type.Optional(
            Type.String({
              maxLength: 100_000,
              description: "one SELECT statement; send it instead of datasets and tables",
            }),
          ),
          sql: Type.Optional(Type.String({ description: "alias of query" })),
          name: Type.Optional(
            Type.Union([Type.String(), Type.Record(Type.String(), Type.String())], {
              description: "the name of the dataset that the statement defines",
            }),
          ),
          parameters: Type.Optional(Type.Array(StatementParameter, { maxItems: 100 })),
        }),
      },
      answer: Type.Object({
        count: Type.Integer(),
        data: Type.Array(Type.Record(Type.String(), Type.Unknown())),
      }),
    },
  },
};
