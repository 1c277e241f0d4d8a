import Type, { type TSchema } from "typebox";
import { type Action, arrowType } from "../../base/index.ts";
import {
  formatNames,
  isDataFormat,
  orientations,
  paperForms,
  screens,
} from "../../exports/index.ts";
import { hierarchyFields } from "../../resources/index.ts";
import { QueryFind } from "../../queries/index.ts";
import { givenSchema } from "./recordSchemas.ts";
import { reference } from "./reference.ts";

/** The request members and the answer of an action of a service. */
export interface ServiceOperation {
  /** What the action does, as the beginning of a sentence: "Lists users". */
  readonly summary: string;
  readonly members: Readonly<Record<string, TSchema>>;
  readonly answer: TSchema;
  /** A further media type of the answer, for clients that accept it. */
  readonly otherType?: { readonly mediaType: string; readonly description: string };
  /** What a file means that the call may send in a form, after its JSON. Absent: the call sends no file. */
  readonly file?: string;
}

const Cell = Type.Unknown({ description: "A string, a number, true, false or null." });
const phases = ["validating", "preparing", "queuing", "querying", "processing", "rows"];
const Performance = Type.Object(Object.fromEntries(phases.map((phase) => [phase, Type.Number()])));
const PushProperties = Type.Object({
  type: Type.Optional(
    Type.Union([Type.Literal("create"), Type.Literal("append"), Type.Literal("replace")]),
  ),
  securable_id: Type.Optional(Type.String({ format: "uuid" })),
  data: Type.Optional(Type.Array(Type.Array(Cell), { maxItems: 10_000 })),
  options: Type.Optional(
    Type.Object({
      header: Type.Optional(Type.Array(Type.String())),
      name: Type.Optional(Type.Record(Type.String(), Type.String())),
      update_metadata: Type.Optional(Type.Boolean()),
      file: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description:
            "Settings for reading the file, such as `separator` and `encoding`. Settings that are absent are detected.",
        }),
      ),
    }),
  ),
  is_sample: Type.Optional(
    Type.Boolean({
      description: "For `validate`: whether the file is only the start of a file. False if absent.",
    }),
  ),
  size_bytes: Type.Optional(
    Type.Integer({ minimum: 0, description: "Size of the whole file in bytes." }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        "Number of bytes of the file that earlier calls with the same `request_id` have sent.",
    }),
  ),
});
const UpdateProperties = Type.Object({
  securable_id: Type.Optional(Type.String({ format: "uuid" })),
  data: Type.Array(Type.Array(Cell), { maxItems: 10_000 }),
  options: Type.Object({
    header: Type.Optional(Type.Array(Type.String())),
    key: Type.Array(Type.String(), {
      minItems: 1,
      description: "Names or ids of the columns that identify a row.",
    }),
    missing: Type.Optional(
      Type.Union([Type.Literal("insert"), Type.Literal("ignore"), Type.Literal("refuse")], {
        description:
          "What happens to a row whose key no stored row has. The default is `insert`, or `ignore` with `delete`.",
      }),
    ),
    delete: Type.Optional(
      Type.Boolean({
        description: "Whether the rows with these keys are deleted instead of replaced.",
      }),
    ),
  }),
});
const PushId = Type.Optional(
  Type.String({
    pattern: "^[\\w.:-]{1,200}$",
    description:
      "Identifies the push. If the same token repeats the push within a day, the host does not carry it out twice.",
  }),
);
const StatementParameter = Type.Object(
  {
    parameter: Type.String({ description: "The name, with or without the prefix `metadata.`." }),
    type: Type.String({
      description: "The type of its value, such as hierarchy or array[numeric].",
    }),
    value: Type.Optional(
      Type.Union(
        [
          Type.String(),
          Type.Number(),
          Type.Null(),
          Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()])),
        ],
        { description: "The default value." },
      ),
    ),
  },
  { description: "A parameter of the statement, written {{name}}." },
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
/** How a query was answered. */
export const Explanation = Type.Object({
  datasets: Type.Array(
    Type.Object({
      id: Type.String(),
      ...Plugin,
      protocol: Type.Optional(
        Type.String({ description: "The protocol version with which the host calls the plugin." }),
      ),
      live: Type.Boolean(),
      cache: Type.Union([Type.Number({ description: "Seconds." }), Type.Null()]),
    }),
  ),
  mode: Type.String(),
  steps: Type.Array(
    Type.Object({
      clause: Type.String(),
      pushed: Type.Boolean(),
      checked: Type.Optional(
        Type.Boolean({
          description: "Whether the host repeated the step because the plugin is not trusted.",
        }),
      ),
      reason: Type.Optional(Type.String()),
    }),
  ),
  filters: Type.Array(
    Type.Object({
      origin: Type.String({
        description: "Where the filter comes from: question, token, filter_group or share.",
      }),
      dataset_id: Type.Optional(Type.String()),
      column_id: Type.Optional(Type.String()),
      expression: Type.Optional(Type.String()),
      checked: Type.Optional(
        Type.Boolean({
          description: "Whether the host tested the rows again because the plugin is not trusted.",
        }),
      ),
    }),
  ),
  cache: Type.Object({
    state: Type.String({ description: "State of the cache: off, miss, shared or hit." }),
    age: Type.Number({ description: "Milliseconds since the sources were queried." }),
  }),
  parts: ExplainedParts,
  probes: ExplainedParts,
  from: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "The explanation of the inner query of `from`, in the same form.",
    }),
  ),
});
const QueryAnswer = Type.Object({
  cached: Type.Boolean(),
  performance: Performance,
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: "What the answer leaves out, as sentences. Absent if it leaves out nothing.",
    }),
  ),
  explain: Type.Optional({
    ...Explanation,
    description: "How the query was answered; present if the query set `explain`.",
  }),
  data: Type.Array(Type.Array(reference("AnswerCell"))),
});
/** An explanation of a query, without rows. For a failed query it contains an error instead. */
const ExplainedAnswer = Type.Object({
  cached: Type.Boolean(),
  performance: Performance,
  warnings: Type.Optional(Type.Array(Type.String())),
  explain: Type.Optional(Explanation),
});
const rowsOf = (row: TSchema) => Type.Object({ count: Type.Integer(), rows: Type.Array(row) });
/** A dataset with its columns. */
const Dataset = Type.Intersect([
  reference("Securable"),
  Type.Object({ columns: Type.Optional(Type.Array(reference("Column"))) }),
]);
const JobState = Type.Union(
  (["waiting", "running", "completed", "failed", "cancelled"] as const).map((state) =>
    Type.Literal(state),
  ),
);
const Provider = {
  provider: Type.Optional(Type.String({ description: "The provider of the account, if given." })),
  account_id: Type.String({ format: "uuid" }),
};

const Nullable = (type: TSchema, description?: string) =>
  Type.Union([type, Type.Null()], description === undefined ? {} : { description });
const subtype = "What the values mean, such as `date` or `currency`.";
const Instant = Type.String({ format: "date-time" });
/** The members of a value of a hierarchy. */
const elementMembers = Object.fromEntries(
  Object.entries(hierarchyFields).map(([member, field]) => [
    member,
    Type.Optional(givenSchema(field)),
  ]),
);
const Element = Type.Object({
  id: Type.String({ description: "The value." }),
  ...elementMembers,
  column_id: Type.Optional(Type.String({ format: "uuid" })),
});
const Job = Type.Object({
  id: Type.String({ format: "uuid" }),
  name: Type.String({ description: "Name of the queue." }),
  state: { ...JobState, description: "State of the job." },
  attempts: Type.Integer({ description: "How often the job has started." }),
  problem: Nullable(Type.String(), "Why the last attempt failed. Null if it did not."),
  alert_id: Nullable(Type.String(), "Id of the alert that the job evaluates. Null for other jobs."),
  delivery_id: Nullable(
    Type.String(),
    "Id of the delivery that the job sends. Null for other jobs.",
  ),
  securable_id: Nullable(
    Type.String(),
    "Id of the dataset that the job loads or synchronizes, or of the dashboard that it sends. Null for other jobs.",
  ),
  copied_rows: Nullable(
    Type.Number(),
    "Number of rows that a running load has copied so far. Null for other jobs.",
  ),
  progress: Nullable(
    Type.Number(),
    "Share of the rows that a running load has copied, from 0 to 1. Null for other jobs, and if the source does not tell how many rows it has.",
  ),
  slot_at: Nullable(Instant, "When the alert was due. Null for other jobs."),
  created_at: Instant,
  start_after: Type.String({
    format: "date-time",
    description: "Earliest time at which the job can start.",
  }),
  started_at: Nullable(Instant, "When the last attempt started. Null before the first attempt."),
  completed_at: Nullable(Instant),
});
const Month = Type.String({ pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$" });
const OneOrMore = (type: TSchema, description: string) =>
  Type.Union([type, Type.Array(type)], { description });
const UsageRow = Type.Object({
  month: Type.Optional({ ...Month, description: "The month in UTC, if `by` has `month`." }),
  integration_id: Type.Optional(
    Nullable(
      Type.String(),
      "The integration of the token, if `by` has `integration`. Null for sign-ins, keys and tokens of type `embed`.",
    ),
  ),
  suborganization: Type.Optional(
    Nullable(
      Type.String(),
      "The suborganization of the user, if `by` has `suborganization`. Null for users of the whole organization.",
    ),
  ),
  securable_id: Type.Optional(
    Nullable(
      Type.String(),
      "The dashboard, if `by` has `dashboard`. Null for questions, model calls and exports of queries.",
    ),
  ),
  viewer_count: Type.Integer({
    description:
      "Number of different people who viewed, asked, exported or used the model. Keys of type `api` and private links have no people.",
  }),
  view_count: Type.Integer({ description: "How often people opened a dashboard." }),
  question_count: Type.Integer({ description: "Number of answered queries of `data get`." }),
  export_count: Type.Integer({ description: "Number of exports that callers requested." }),
  model_call_count: Type.Integer({ description: "Number of calls of the assistant's model." }),
});
/** An entry of `dataprovider get`: a dataset that an account offers, or a provider. */
const OfferedDataset = Type.Object({
  id: Type.Optional(Type.String()),
  name: Type.Optional(Nullable(reference("LocalizedText"))),
  schema: Type.Optional(Nullable(Type.String())),
  table: Type.Optional(Type.String()),
  type: Type.Optional(Type.String({ description: "Kind of the dataset: table or view." })),
  description: Type.Optional(Nullable(reference("LocalizedText"))),
  columns: Type.Optional(
    Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: Type.Optional(reference("LocalizedText")),
          type: Type.Optional(Type.String()),
          subtype: Type.Optional(Nullable(Type.String(), subtype)),
        },
        { additionalProperties: true },
      ),
    ),
  ),
  notes: Type.Optional(
    Type.Array(Type.String(), {
      description: "What the host noticed about the dataset, such as columns that it leaves out.",
    }),
  ),
  provider: Type.Optional(
    Type.String({ description: "The slug to set as `provider` of an account." }),
  ),
  kind: Type.Optional(
    Type.Union([Type.Literal("connector"), Type.Literal("plugin")], {
      description: "Whether the provider is a connector of the host or a plugin.",
    }),
  ),
  authorize: Type.Optional(
    Nullable(
      Type.String(),
      "What an account of the plugin must contain: `none`, `token`, `host/key/token`, `oauth2` or `custom`. Null for a connector.",
    ),
  ),
  properties: Type.Optional(
    Nullable(
      Type.Array(reference("PluginProperty")),
      "The properties that an account of the plugin has.",
    ),
  ),
});
/** A column that a push would create. */
const NewColumn = Type.Object({
  source_name: Type.Optional(Nullable(Type.String(), "Name of the column in the header.")),
  name: Type.Optional(reference("LocalizedText")),
  order: Type.Optional(Type.Number()),
  type: Type.String(),
  subtype: Nullable(Type.String(), subtype),
  format: Nullable(Type.String(), "How the values are shown, such as `.2f` for numbers."),
  informat: Nullable(
    Type.String(),
    "How the host reads the values: a type, or a pattern such as `YYYY-MM-DD`.",
  ),
});
const ExportJob = Type.Object({
  id: Type.String({ format: "uuid" }),
  type: Type.String({ description: "Format of the file." }),
  status: Type.Union(
    (["waiting", "running", "done", "failed"] as const).map((status) => Type.Literal(status)),
    { description: "State of the export." },
  ),
  cell_count: Nullable(Type.Integer()),
  size_bytes: Type.Integer({ description: "Bytes written so far." }),
  failure: Nullable(Type.String()),
  warnings: Type.Array(Type.String(), { description: "What the file leaves out, as sentences." }),
  url: Nullable(Type.String(), "URL of the file. Null until the file is complete."),
  expires_at: Instant,
  created_at: Instant,
  completed_at: Nullable(Instant),
});

function exportOperation(
  summary: string,
  description: string,
  formats: readonly string[],
): ServiceOperation {
  const size = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }));
  return {
    summary,
    members: {
      properties: Type.Object({
        type: Type.Optional(
          Type.Union(
            formats.map((each) => Type.Literal(each)),
            { description: "The format of the file." },
          ),
        ),
        query: Type.Optional(reference("Query")),
        securable_id: Type.Optional(
          Type.String({
            format: "uuid",
            description: "Id of a dashboard; send this id instead of query.",
          }),
        ),
        item_id: Type.Optional(Type.String({ description: "Id of an item of the dashboard." })),
        items: Type.Optional(
          Type.Record(
            Type.String(),
            Type.Object({
              where: Type.Optional(
                Type.Array(Type.Record(Type.String(), Type.Unknown()), {
                  description: "Filters that are added to those of the dashboard, as in a query.",
                }),
              ),
              level: Type.Optional(
                Type.Integer({
                  minimum: 1,
                  maximum: 9,
                  description: "The level of the first datetime by which the item groups.",
                }),
              ),
              compare: Type.Optional(
                Type.Array(
                  Type.Object({
                    dataset_id: Type.String({ description: "Id of the dataset of the column." }),
                    column_id: Type.String({
                      description: "Id of the datetime column along which measures are compared.",
                    }),
                    level: Type.Integer({
                      minimum: 0,
                      maximum: 8,
                      description:
                        "Level of the earlier period, from 1 (year) to 8 (second); 0 for the length of the filtered range.",
                    }),
                    quantity: Type.Optional(
                      Type.Integer({
                        minimum: 1,
                        maximum: 100_000,
                        description: "Number of periods. Absent: 1.",
                      }),
                    ),
                  }),
                  {
                    description:
                      "The earlier periods with which measures are compared, instead of the stored ones.",
                  },
                ),
              ),
              sort: Type.Optional(
                Type.Object(
                  {
                    cell: Type.Integer({
                      minimum: 0,
                      description: "Index of the column in a row of the item.",
                    }),
                    order: Type.Optional(
                      Type.Union([Type.Literal("asc"), Type.Literal("desc")], {
                        description: "Absent: `asc`.",
                      }),
                    ),
                  },
                  { description: "The order of the rows, as a reader sorted a table." },
                ),
              ),
              hidden_series: Type.Optional(
                Type.Array(Type.String(), {
                  description: "Ids of the series that a reader switched off in the legend.",
                }),
              ),
              picks: Type.Optional(
                Type.Record(Type.String(), Type.String(), {
                  description:
                    "The columns that a reader chose in the pickers of the item: their keys, as in the state of the dashboard, by slot.",
                }),
              ),
            }),
            { description: "What a reader chose, by id of the item of the dashboard." },
          ),
        ),
        parameters: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            description: "Values of the dashboard's parameters by name.",
          }),
        ),
        screenmode: Type.Optional(
          Type.Union(
            screens.map((each) => Type.Literal(each)),
            { description: "The screen whose layout is exported." },
          ),
        ),
        width: size(4_000),
        height: size(4_000),
        scale: size(4),
        paper: Type.Optional(
          Type.Union(
            paperForms.map((each) => Type.Literal(each)),
            {
              description:
                "The pages of a PDF. `fit` is a single page that is as large as the picture. Absent: the usual paper of the region in `locale_id`, or `fit` for an item with a width or height.",
            },
          ),
        ),
        orientation: Type.Optional(
          Type.Union(
            orientations.map((each) => Type.Literal(each)),
            { description: "How the pages of a PDF are turned. Absent: `portrait`." },
          ),
        ),
        csv_dialect: Type.Optional(
          Type.Union([Type.Literal("standard"), Type.Literal("locale")], {
            description:
              "`locale`: a CSV file for people has the decimal mark of `locale_id`, and semicolons if that mark is a comma. Absent: `standard`, with commas and points.",
          }),
        ),
        theme: Type.Optional(Type.Union([Type.Literal("light"), Type.Literal("dark")])),
        locale_id: Type.Optional(Type.String()),
        timezone_id: Type.Optional(Type.String()),
        deliver: Type.Optional(
          Type.Union([Type.Literal("file"), Type.Literal("link")], {
            description:
              "`link`: a job writes the file (202). `file`: the response contains the file. Absent: a job writes large files.",
          }),
        ),
      }),
    },
    answer: Type.Union([QueryAnswer, Type.Array(QueryAnswer), ExportJob], {
      description:
        "With type json, the answer is that of data get; with status 202, it is the job.",
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
      summary: "Pushes rows into a new or an existing dataset",
      members: { request_id: PushId, properties: PushProperties },
      file: "The file whose rows are stored. Its name tells the format.",
      answer: Type.Object({
        ...rowsOf(Dataset).properties,
        warnings: Type.Optional(Type.Array(Type.String())),
      }),
    },
    update: {
      summary: "Changes, inserts and deletes rows by key",
      members: {
        request_id: PushId,
        id: Type.Optional(
          Type.String({
            format: "uuid",
            description: "Id of the dataset; send this member instead of `securable_id`.",
          }),
        ),
        properties: UpdateProperties,
      },
      answer: Type.Object({
        ...rowsOf(Dataset).properties,
        counts: Type.Object(
          {
            updated: Type.Integer({
              description: "Number of pushed rows that took the place of stored rows.",
            }),
            inserted: Type.Integer({
              description: "Number of pushed rows that were added, because no row had their key.",
            }),
            deleted: Type.Integer({
              description: "Number of stored rows that are gone without another in their place.",
            }),
            ignored: Type.Integer({
              description: "Number of pushed rows without effect, because no row had their key.",
            }),
          },
          { description: "What the update did." },
        ),
      }),
    },
    validate: {
      summary: "Describes the columns of rows without storing them",
      members: { request_id: PushId, properties: Type.Optional(PushProperties) },
      file: "The file to describe, or its start.",
      answer: Type.Union([
        Type.Object({
          valid: Type.Boolean({ description: "Whether create would store these rows." }),
          columns: Type.Optional(Type.Array(NewColumn)),
          warnings: Type.Optional(Type.Array(Type.String())),
          message: Type.Optional(Type.String()),
        }),
        reference("FilePreview"),
        reference("UploadProgress"),
      ]),
    },
    get: {
      summary: "Answers queries",
      members: { find: QueryFind },
      answer: Type.Union([QueryAnswer, Type.Array(QueryAnswer)]),
      otherType: {
        mediaType: arrowType,
        description:
          "The rows of one query. The metadata of the Arrow schema contains the other members of the answer.",
      },
    },
    explain: {
      summary: "Explains how queries would be answered, without rows",
      members: { find: QueryFind },
      answer: Type.Union([ExplainedAnswer, Type.Array(ExplainedAnswer)]),
    },
  },
  export: {
    create: exportOperation(
      "Exports a query, an item or a dashboard as a file",
      "a query, an item or a dashboard as a file",
      formatNames,
    ),
    get: {
      summary: "Lists exports that run as jobs, with links to their files",
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
      summary: "Cancels an export, or deletes its file",
      members: { id: Type.String({ format: "uuid" }) },
      answer: Type.Object({ code: Type.Integer() }),
    },
  },
  dataexport: {
    create: exportOperation(
      "Exports the rows of a query or an item as a file",
      "a query or an item as a file of rows",
      formatNames.filter(isDataFormat),
    ),
  },
  hierarchy: {
    get: {
      summary: "Lists the names and colours of a column's values",
      members: {
        find: Type.Object({
          where: Type.Object({
            column_id: Type.Optional(Type.String({ format: "uuid" })),
            id: Type.Optional(
              Type.String({
                format: "uuid",
                description: "The id of the column; send this member instead of column_id.",
              }),
            ),
            value: Type.Optional(
              Type.String({ description: "Returns only this value of the column." }),
            ),
          }),
          limit: Type.Optional(Type.Integer()),
          offset: Type.Optional(Type.Integer()),
        }),
      },
      answer: rowsOf(Element),
    },
    update: {
      summary: "Changes the names and colours of a column's values",
      members: {
        id: Type.String({ format: "uuid", description: "The id of the column." }),
        properties: Type.Object({
          updates: Type.Array(
            Type.Object({
              id: Type.String({
                description:
                  "The value. If all its members are null, the host removes the entry of the value.",
              }),
              ...elementMembers,
            }),
          ),
        }),
      },
      answer: Type.Object({ id: Type.String(), count: Type.Integer(), code: Type.Literal(200) }),
    },
  },
  job: {
    get: {
      summary: "Lists jobs of the organization",
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
      answer: rowsOf(Job),
    },
    update: {
      summary: "Runs a job again, or cancels it",
      members: {
        id: Type.String({ format: "uuid" }),
        properties: Type.Object({
          state: Type.Union([Type.Literal("waiting"), Type.Literal("cancelled")]),
        }),
      },
      answer: Job,
    },
  },
  usage: {
    get: {
      summary: "Counts what people and programs did, by month",
      members: {
        find: Type.Optional(
          Type.Object({
            by: Type.Optional(
              Type.Array(
                Type.Union(
                  ["month", "integration", "suborganization", "dashboard"].map((part) =>
                    Type.Literal(part),
                  ),
                ),
                {
                  description:
                    "The parts that divide the numbers; an empty list returns one row. Absent: `month`.",
                },
              ),
            ),
            where: Type.Optional(
              Type.Object(
                {
                  month: Type.Optional(
                    OneOrMore(
                      Month,
                      "Months in UTC, such as `2026-01`. Absent: the current month.",
                    ),
                  ),
                  integration_id: Type.Optional(
                    OneOrMore(Nullable(Type.String()), "Ids of integrations; null for none."),
                  ),
                  suborganization: Type.Optional(
                    OneOrMore(Nullable(Type.String()), "Suborganizations; null for none."),
                  ),
                  securable_id: Type.Optional(
                    OneOrMore(Nullable(Type.String()), "Ids of dashboards; null for none."),
                  ),
                },
                {
                  description:
                    "The usage to count: a value or a list per part. Absent parts: all values.",
                },
              ),
            ),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1_000 })),
            offset: Type.Optional(Type.Integer({ minimum: 0 })),
          }),
        ),
      },
      answer: Type.Object({
        count: Type.Integer({ description: "Number of rows, regardless of `limit`." }),
        rows: Type.Array(UsageRow),
        lost_count: Type.Integer({
          description:
            "Acts of these months that the organization's hosts could not count, because too many waited for the catalog.",
        }),
      }),
    },
  },
  dataprovider: {
    get: {
      summary: "Lists connectors and plugins, or the datasets of a connection",
      members: {
        find: Type.Object({
          provider: Type.Optional(Type.String()),
          account_id: Type.Optional(
            Type.String({
              format: "uuid",
              description:
                "Id of the connection. Absent: lists the providers, or the properties of one provider.",
            }),
          ),
        }),
      },
      answer: rowsOf(OfferedDataset),
    },
    create: {
      summary: "Adds datasets of a connection",
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
              description: "One SELECT statement; send this member instead of datasets and tables.",
            }),
          ),
          sql: Type.Optional(Type.String({ description: "Alias of query." })),
          name: Type.Optional(
            Type.Union([Type.String(), Type.Record(Type.String(), Type.String())], {
              description: "The name of the dataset that the statement defines.",
            }),
          ),
          parameters: Type.Optional(Type.Array(StatementParameter, { maxItems: 100 })),
        }),
      },
      answer: Type.Object({
        count: Type.Integer(),
        data: Type.Array(Dataset),
      }),
    },
  },
};
