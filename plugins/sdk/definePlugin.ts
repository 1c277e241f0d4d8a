import {
  type AnsweredBatch,
  type Batch,
  type Call,
  type Capabilities,
  type Column,
  Column as ColumnSchema,
  createBatchBuilder,
  type Dataset,
  type DataType,
  type ExchangeCall,
  type Multilingual,
  type Narrowing,
  Narrowing as NarrowingSchema,
  operators,
  type Plugin,
  PluginError,
  type QueryCall,
  wrongNarrowing,
} from "../protocol/index.ts";
import { checkCapabilities } from "./checkCapabilities.ts";
import { checkDeclared } from "./checkDeclared.ts";
import { checkMembers } from "./checkMembers.ts";

/** A string in English, or one string per language. */
export type Text = string | Multilingual;

/** The definition of a column. `name` defaults to the id. */
export type ColumnDefinition = Omit<Column, "name"> & { readonly name?: Text };

/** The definition of a dataset. */
export interface DatasetDefinition {
  /** Id of the dataset. It must not be empty, and must be unique in the plugin. */
  readonly id: string;
  /**
   * Name of the dataset, as shown to users.
   * @default the id
   */
  readonly name?: Text;
  /** Description of the dataset, as shown to users. Absent: none. */
  readonly description?: Text;
  /** The columns of the dataset, at least one. Their ids must be unique in the dataset. */
  readonly columns: readonly ColumnDefinition[];
}

/** A call of `rows`, which requests all rows of one dataset. */
export interface RowsCall extends Call {
  /** Id of the dataset. It is one of the datasets that the credentials may see. */
  readonly id: string;
}

/**
 * One row, with one cell per column of the dataset, in the order of the columns. Numeric cells are numbers, datetime
 * cells are Dates or ISO 8601 strings (UTC if they name no zone), and text cells are strings, numbers or booleans. Any
 * cell may be null.
 */
export type RowCells = readonly unknown[];

interface Definition {
  /**
   * The datasets, or a function that returns the datasets that the credentials of a call may see. The function is
   * called whenever the datasets are listed and, in a basic plugin, for every query.
   */
  readonly datasets:
    | readonly DatasetDefinition[]
    | ((call: Call) => Promise<readonly DatasetDefinition[]> | readonly DatasetDefinition[]);
  /**
   * Checks the credentials. Returns `authUrl` if a person must first give consent at that address (OAuth2). Must throw
   * a `PluginError` with PLUGIN_FORBIDDEN if the credentials are wrong. Absent: all credentials are accepted.
   */
  readonly authorize?: (call: Call) => Promise<{ readonly authUrl?: string } | undefined | void>;
  /** Exchanges an OAuth2 code for the provider's credentials. Absent: the plugin does not support OAuth2. */
  readonly exchange?: (call: ExchangeCall) => Promise<Readonly<Record<string, unknown>>>;
  /** Resolves if the source responds, and rejects otherwise. Absent: the plugin counts as healthy. */
  readonly health?: Plugin["health"];
  /** Releases everything that the plugin has opened. Absent: the plugin has opened nothing. */
  readonly close?: Plugin["close"];
}

/** The definition of a basic plugin, which returns all rows. The host filters, groups and sorts them. */
export interface BasicDefinition extends Definition {
  /**
   * Returns all rows of a dataset, as an iterable, an async iterable or a promise of either. If a row has the wrong
   * number of cells, or a cell has the wrong type, the query fails with PLUGIN_BAD_ANSWER.
   */
  readonly rows: (
    call: RowsCall,
  ) =>
    | Iterable<RowCells>
    | AsyncIterable<RowCells>
    | Promise<Iterable<RowCells> | AsyncIterable<RowCells>>;
}

/** The definition of a plugin that itself carries out the clauses of a query that `capabilities` declares. */
export interface CapableDefinition extends Definition {
  /** The clauses that `query` carries out exactly as the protocol defines them; `{}` if there are none. */
  readonly capabilities: Capabilities;
  /**
   * Answers a query with one column per entry of `query.columns`, in that order. Queries with a clause that
   * `capabilities` does not declare are refused with PLUGIN_NOT_OFFERED before this method is called. Whether an
   * operator is declared for a column's type is not checked.
   */
  readonly query: (call: QueryCall) => Promise<AnsweredBatch>;
  /**
   * Returns the capabilities that work with the credentials of a call. Absent: `capabilities` apply to all credentials.
   */
  readonly capabilitiesOf?: Plugin["capabilitiesOf"];
  /** Carries out one write, either completely or not at all. Needs the capability `write`. */
  readonly write?: Plugin["write"];
}

/** The definition of a plugin. It contains either `rows`, or `query` and `capabilities`. */
export type PluginDefinition = BasicDefinition | CapableDefinition;

/**
 * Creates a plugin from a definition, without opening anything. If `datasets` is a function, its result is checked on
 * each call.
 * @throws {TypeError} if the definition is wrong: an id is missing or repeated; a member, type, operator, function or
 * aggregation is misspelt or unknown; a dataset has no columns; or both or neither of `rows` and `query` are present.
 * The message names the place and the nearest known name.
 */
export function definePlugin(definition: PluginDefinition): Plugin {
  checkDefinition(definition);
  const datasets = datasetsOf(definition.datasets);
  const { authorize, exchange, health, close } = definition;
  const isBasic = "rows" in definition;
  const probe = isBasic ? undefined : definition.capabilitiesOf;
  return {
    capabilities: isBasic ? {} : definition.capabilities,
    datasets,
    query: isBasic
      ? (call) => queryRows(definition, datasets, call)
      : async (call) => {
          checkDeclared(call.query, definition.capabilities);
          return definition.query(call);
        },
    ...(probe && { capabilitiesOf: (call) => probe(call) }),
    ...(authorize && { authorize: async (call) => (await authorize(call)) ?? undefined }),
    ...(exchange && { exchange: (call) => exchange(call) }),
    ...(!isBasic && definition.write && { write: (call) => definition.write!(call) }),
    ...(health && { health: (call) => health(call) }),
    ...(close && { close: () => close() }),
  };
}

async function queryRows(
  definition: BasicDefinition,
  datasets: (call: Call) => Promise<readonly Dataset[]>,
  { query, ...call }: QueryCall,
): Promise<Batch> {
  const dataset = (await datasets(call)).find(({ id }) => id === query.id);
  if (!dataset) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [JSON.stringify(query.id)]);
  const builder = createBatchBuilder(dataset.columns);
  for await (const row of await definition.rows({ ...call, id: query.id })) {
    call.signal.throwIfAborted();
    builder.append(row);
  }
  return builder.batch();
}

const datasetMembers = ["id", "name", "description", "columns"];
const columnMembers = Object.keys(ColumnSchema.properties);

const subtypes: Readonly<Record<DataType, readonly string[]>> = {
  numeric: ["currency", "duration"],
  datetime: ["date", "datetime"],
  hierarchy: [],
};

function datasetsOf(given: Definition["datasets"]): (call: Call) => Promise<readonly Dataset[]> {
  if (typeof given === "function") return async (call) => completeDatasets(await given(call));
  const fixed = completeDatasets(given);
  return async () => fixed;
}

function completeDatasets(definitions: readonly DatasetDefinition[]): Dataset[] {
  const ids = new Set<string>();
  if (!Array.isArray(definitions)) throw new TypeError("datasets must return an array");
  return definitions.map((dataset: DatasetDefinition) => {
    const { id, name, description, columns } = dataset;
    checkId(id, ids, "dataset");
    const datasetWhere = `the dataset ${JSON.stringify(id)}`;
    checkMembers(dataset, datasetMembers, { what: "a member of a dataset", where: datasetWhere });
    if (!Array.isArray(columns) || columns.length === 0)
      throw new TypeError(`the dataset ${JSON.stringify(id)} must have at least one column`);
    const columnIds = new Set<string>();
    const complete = columns.map((column: ColumnDefinition): Column => {
      const where = `column of the dataset ${JSON.stringify(id)}`;
      checkId(column.id, columnIds, where);
      const columnWhere = `the ${where} with the id ${JSON.stringify(column.id)}`;
      checkMembers(column, columnMembers, { what: "a member of a column", where: columnWhere });
      checkType(column, where);
      if (column.narrowed !== undefined)
        checkNarrowing(column.narrowed, `${columnWhere}, narrowed`);
      const wrong = column.narrowed && wrongNarrowing(column.narrowed);
      if (wrong !== undefined)
        throw new TypeError(`the ${where} with the id ${JSON.stringify(column.id)}: ${wrong}`);
      return { ...column, name: multilingual(column.name ?? column.id) };
    });
    return {
      id,
      name: multilingual(name ?? id),
      ...(description !== undefined && { description: multilingual(description) }),
      columns: complete,
    };
  });
}

const sharedMembers = ["datasets", "authorize", "exchange", "health", "close"];
const capableMembers = ["capabilities", "query", "capabilitiesOf", "write"];

function checkDefinition(definition: PluginDefinition): void {
  checkMembers(definition, [...sharedMembers, "rows", ...capableMembers], {
    what: "a member of a plugin",
    where: "definePlugin",
  });
  const { datasets } = definition;
  if (!Array.isArray(datasets) && typeof datasets !== "function")
    throw new TypeError("datasets must be an array, or a function that returns one");
  const { rows, query, capabilities } = definition as Partial<BasicDefinition & CapableDefinition>;
  if ((typeof rows === "function") === (typeof query === "function"))
    throw new TypeError("a plugin must have the function rows or the function query");
  if (query && (typeof capabilities !== "object" || capabilities === null))
    throw new TypeError("a plugin with query must declare its capabilities; use {} for none");
  if (capabilities !== undefined) checkCapabilities(capabilities);
  const unused = rows && capableMembers.find((name) => Object.hasOwn(definition, name));
  if (unused !== undefined && Object.keys(capabilities ?? {}).length > 0)
    throw new TypeError(
      `a plugin with rows must not have ${unused}, because it always returns all rows; write query instead of rows`,
    );
}

/** Refuses unknown members and operators, which `wrongNarrowing` accepts because a newer plugin may send them. */
function checkNarrowing(narrowed: Narrowing, where: string): void {
  checkMembers(narrowed, Object.keys(NarrowingSchema.properties), {
    what: "a member of narrowed",
    where,
  });
  if (narrowed.filters !== undefined)
    checkMembers(narrowed.filters, operators, { what: "an operator", where: `${where}.filters` });
}

function checkId(id: unknown, seen: Set<string>, what: string): void {
  if (typeof id !== "string" || id === "")
    throw new TypeError(`the id of a ${what} must be a non-empty string`);
  if (seen.has(id)) throw new TypeError(`the id ${JSON.stringify(id)} of a ${what} must be unique`);
  seen.add(id);
}

function checkType({ id, type, subtype }: ColumnDefinition, where: string): void {
  const what = `the ${where} with the id ${JSON.stringify(id)}`;
  if (!Object.hasOwn(subtypes, type))
    throw new TypeError(
      `the type of ${what} must be numeric, datetime or hierarchy, not ${JSON.stringify(type)}`,
    );
  if (subtype !== undefined && !subtypes[type].includes(subtype))
    throw new TypeError(
      `the subtype of ${what} must be ${subtypes[type].join(" or ") || "absent"} for the type ${type}, not ${JSON.stringify(subtype)}`,
    );
}

const multilingual = (text: Text): Multilingual => (typeof text === "string" ? { en: text } : text);
