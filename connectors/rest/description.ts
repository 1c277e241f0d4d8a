import Type, { type Static } from "typebox";
import { Value } from "typebox/value";
import { PluginError } from "../../plugins/protocol/index.ts";
import {
  declaredTypeNames,
  readSettings,
  type SettingName,
  type Settings,
} from "../../plugins/rows/formats/index.ts";

const text = Type.String({ minLength: 1, maxLength: 1000 });
const closed = { additionalProperties: false };
const count = (most: number) => Type.Optional(Type.Integer({ minimum: 1, maximum: most }));

const Authentication = Type.Union([
  Type.Object({ type: Type.Literal("none") }, closed),
  Type.Object({ type: Type.Literal("bearer") }, closed),
  Type.Object({ type: Type.Literal("basic") }, closed),
  Type.Object(
    {
      type: Type.Literal("key"),
      in: Type.Union([Type.Literal("header"), Type.Literal("query")]),
      name: text,
    },
    closed,
  ),
  Type.Object({ type: Type.Literal("oauth2"), tokenUrl: text, scope: Type.Optional(text) }, closed),
]);

const size = {
  sizeParameter: Type.Optional(text),
  size: count(1_000_000),
  /** Path of the member that contains the total number of rows. */
  total: Type.Optional(text),
};
const Pages = Type.Union([
  Type.Object(
    {
      type: Type.Literal("number"),
      parameter: text,
      first: Type.Optional(Type.Integer({ minimum: 0 })),
      ...size,
    },
    closed,
  ),
  Type.Object({ type: Type.Literal("offset"), parameter: text, ...size }, closed),
  Type.Object({ type: Type.Literal("cursor"), parameter: text, at: text, ...size }, closed),
  Type.Object({ type: Type.Literal("link"), ...size }, closed),
]);

const ColumnType = Type.Enum(declaredTypeNames);
const ApiColumn = Type.Union([
  ColumnType,
  Type.Object(
    {
      type: ColumnType,
      at: Type.Optional(text),
      /** The format of dates, such as `%d.%m.%Y` or `epoch seconds`. */
      format: Type.Optional(text),
      /** The sign next to numbers, such as `%` or `EUR`. */
      unit: Type.Optional(text),
    },
    closed,
  ),
]);

/** The settings of files that also apply to the responses of an API. `readSettings` checks their values. */
const settings = {
  separator: Type.Optional(Type.Unknown()),
  encoding: Type.Optional(Type.Unknown()),
  skip_rows: Type.Optional(Type.Unknown()),
  decimal: Type.Optional(Type.Unknown()),
  thousands: Type.Optional(Type.Unknown()),
  nulls: Type.Optional(Type.Unknown()),
  dates: Type.Optional(Type.Unknown()),
  time_zone: Type.Optional(Type.Unknown()),
} satisfies Partial<Record<SettingName, unknown>>;

const ApiFilter = Type.Object(
  {
    column: text,
    operator: Type.Union([
      Type.Literal("="),
      Type.Literal("<"),
      Type.Literal("<="),
      Type.Literal(">"),
      Type.Literal(">="),
      Type.Literal("in"),
    ]),
    parameter: text,
  },
  closed,
);
export type ApiFilter = Static<typeof ApiFilter>;

const ApiDataset = Type.Object(
  {
    path: Type.String({ maxLength: 1000 }),
    query: Type.Optional(Type.Record(Type.String(), Type.String())),
    format: Type.Optional(Type.Union([Type.Literal("json"), Type.Literal("csv")])),
    /**
     * Path of the array of rows in a response.
     * @default the response itself
     */
    rows: Type.Optional(text),
    pages: Type.Optional(Pages),
    columns: Type.Record(Type.String({ minLength: 1, maxLength: 500 }), ApiColumn, {
      minProperties: 1,
    }),
    filters: Type.Optional(Type.Array(ApiFilter, { maxItems: 100 })),
    ...settings,
  },
  closed,
);
export type ApiDataset = Static<typeof ApiDataset>;

const Limits = Type.Object(
  {
    /** Deadline of a request, in seconds. */
    timeoutS: count(3600),
    retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    /** Longest wait before a retry, in seconds. */
    waitS: count(600),
    /** Maximum number of pages per query. */
    pages: count(1_000_000),
    rows: count(100_000_000),
    /** Maximum size of a response with one page, in MiB. */
    pageMb: count(256),
  },
  closed,
);
export type Limits = Required<Static<typeof Limits>>;

const Description = Type.Object(
  {
    authentication: Type.Optional(Authentication),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    datasets: Type.Record(Type.String({ minLength: 1, maxLength: 500 }), ApiDataset, {
      minProperties: 1,
    }),
    limits: Type.Optional(Limits),
  },
  closed,
);

/** The parsed description of an API. */
export interface Api {
  readonly authentication: Static<typeof Authentication>;
  readonly headers: Readonly<Record<string, string>>;
  readonly datasets: Readonly<Record<string, ApiDataset>>;
  readonly limits: Limits;
}

const usualLimits: Limits = {
  timeoutS: 30,
  retries: 3,
  waitS: 30,
  pages: 1000,
  rows: 1_000_000,
  pageMb: 16,
};

/**
 * Parses the description of an API.
 * @throws {PluginError} PLUGIN_INVALID with the path of the invalid member
 */
export function readDescription(json: string): Api {
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch (cause) {
    throw new PluginError("PLUGIN_INVALID", ["api must be JSON"], { cause });
  }
  if (!Value.Check(Description, given)) {
    const errors = [...Value.Errors(Description, given)];
    // If a value matches no alternative of a union, each alternative reports errors. The error with the deepest path
    // belongs to the intended alternative.
    const worst = errors.toSorted((one, other) => depthOf(other) - depthOf(one))[0];
    const path = `api${(worst?.instancePath ?? "").replaceAll("/", ".")}`;
    throw new PluginError("PLUGIN_INVALID", [`${path}: ${worst?.message ?? "is not valid"}`]);
  }
  for (const [name, dataset] of Object.entries(given.datasets)) checkSettings(name, dataset);
  for (const [name, { columns, filters = [] }] of Object.entries(given.datasets))
    for (const [index, { column }] of filters.entries())
      if (!Object.hasOwn(columns, column))
        throw new PluginError("PLUGIN_INVALID", [
          `api.datasets.${name}.filters.${index}.column must be a column of the dataset`,
        ]);
  const { authentication = { type: "none" }, headers = {}, datasets, limits } = given;
  for (const [header, value] of Object.entries(headers))
    if (!headerName.test(header) || !headerValue.test(value))
      throw new PluginError("PLUGIN_INVALID", [
        `api.headers.${header.slice(0, 100)} must have a name of letters, digits and hyphens, and a value of printable ASCII characters`,
      ]);
  if (authentication.type === "key" && authentication.in === "header")
    if (!headerName.test(authentication.name))
      throw new PluginError("PLUGIN_INVALID", [
        "api.authentication.name must be a header name of letters, digits and hyphens",
      ]);
  for (const header of Object.keys(headers))
    if (/^(authorization|cookie|host|content-length|transfer-encoding|connection)$/i.test(header))
      throw new PluginError("PLUGIN_INVALID", [
        `api.headers.${header} cannot be set by a description`,
      ]);
  return { authentication, headers, datasets, limits: { ...usualLimits, ...limits } };
}

function checkSettings(name: string, dataset: ApiDataset): void {
  try {
    settingsOf(dataset);
  } catch (cause) {
    if (!(cause instanceof PluginError)) throw cause;
    throw new PluginError("PLUGIN_INVALID", [`api.datasets.${name}.${cause.details[0]}`], {
      cause,
    });
  }
}

/**
 * Returns the settings for reading a dataset's responses.
 * @throws {PluginError} PLUGIN_INVALID that names the invalid setting
 */
export function settingsOf({ columns, ...properties }: ApiDataset): Settings {
  const types = Object.entries(columns).map(([id, column]) => {
    if (typeof column === "string") return [id, column] as const;
    const { type, format, unit } = column;
    const given = { ...(format !== undefined && { format }), ...(unit !== undefined && { unit }) };
    return [id, { type, ...given }] as const;
  });
  return readSettings({ properties: { ...properties, columns: Object.fromEntries(types) } });
}

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/;
const headerValue = /^(?:[\x21-\x7e]+(?:[ \t]+[\x21-\x7e]+)*)?$/;

const depthOf = ({ instancePath }: { readonly instancePath: string }): number =>
  instancePath.split("/").length;
