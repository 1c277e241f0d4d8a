import {
  aggregations,
  type AnsweredBatch,
  type Batch,
  type Call,
  type Capabilities,
  type Column,
  createBatchBuilder,
  type Dataset,
  type DataType,
  type ExchangeCall,
  functions,
  type Multilingual,
  type Plugin,
  PluginError,
  type QueryCall,
  wrongNarrowing,
} from "../protocol/index.ts";
import { checkDeclared } from "./checkDeclared.ts";

/** A text in English, or one per language. */
export type Text = string | Multilingual;

/** A column as an author writes it; the name defaults to the id. */
export type ColumnDefinition = Omit<Column, "name"> & { readonly name?: Text };

/** A dataset as an author writes it; the name defaults to the id. */
export interface DatasetDefinition {
  readonly id: string;
  readonly name?: Text;
  readonly description?: Text;
  readonly columns: readonly ColumnDefinition[];
}

/** Call of `rows`: asks for all rows of one dataset, on behalf of the holder of the credentials. */
export interface RowsCall extends Call {
  readonly id: string;
}

/** Cells in the order of the columns: numbers, texts, booleans, Dates or ISO texts for datetimes, null. */
export type RowCells = readonly unknown[];

interface Definition {
  /** The datasets, or how to find out which ones the credentials may see. */
  readonly datasets:
    | readonly DatasetDefinition[]
    | ((call: Call) => Promise<readonly DatasetDefinition[]> | readonly DatasetDefinition[]);
  /** Throws PluginError PLUGIN_FORBIDDEN when the credentials are not good. */
  readonly authorize?: (call: Call) => Promise<{ readonly authUrl?: string } | undefined | void>;
  readonly exchange?: (call: ExchangeCall) => Promise<Readonly<Record<string, unknown>>>;
  readonly health?: Plugin["health"];
  readonly close?: Plugin["close"];
}

/** A basic plugin: it gives all rows, and the host filters, groups and sorts them. */
export interface BasicDefinition extends Definition {
  readonly rows: (
    call: RowsCall,
  ) =>
    | Iterable<RowCells>
    | AsyncIterable<RowCells>
    | Promise<Iterable<RowCells> | AsyncIterable<RowCells>>;
}

/** A capable plugin: it answers the part of a query that it declares in `capabilities`. */
export interface CapableDefinition extends Definition {
  readonly capabilities: Capabilities;
  readonly query: (call: QueryCall) => Promise<AnsweredBatch>;
  readonly capabilitiesOf?: Plugin["capabilitiesOf"];
  readonly write?: Plugin["write"];
}

export type PluginDefinition = BasicDefinition | CapableDefinition;

/**
 * Creates a plugin from a definition: either `rows`, or `query` with `capabilities`. Nothing is opened.
 * @throws {TypeError} at once, naming the dataset and the column, when the definition is wrong: a missing or repeated
 * id, an unknown type, both or neither of `rows` and `query`
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
  return definitions.map(({ id, name, description, columns }) => {
    checkId(id, ids, "dataset");
    if (!Array.isArray(columns) || columns.length === 0)
      throw new TypeError(`the dataset ${JSON.stringify(id)} has no columns`);
    const columnIds = new Set<string>();
    const complete = columns.map((column: ColumnDefinition): Column => {
      const where = `column of the dataset ${JSON.stringify(id)}`;
      checkId(column.id, columnIds, where);
      checkType(column, where);
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

function checkDefinition(definition: PluginDefinition): void {
  const { datasets } = definition;
  if (!Array.isArray(datasets) && typeof datasets !== "function")
    throw new TypeError("datasets must be a list, or a function that answers one");
  const { rows, query, capabilities } = definition as Partial<BasicDefinition & CapableDefinition>;
  if ((typeof rows === "function") === (typeof query === "function"))
    throw new TypeError("a plugin has either rows or query, as a function");
  if (query && (typeof capabilities !== "object" || capabilities === null))
    throw new TypeError("a plugin with query declares its capabilities; {} for none");
  checkFunctions(capabilities);
  const unknown = capabilities?.grouping?.aggregations.find((each) => !aggregations.includes(each));
  if (unknown !== undefined)
    throw new TypeError(
      `capabilities.grouping names the aggregation ${JSON.stringify(unknown)}; there are: ${aggregations.join(", ")}`,
    );
}

function checkFunctions(capabilities: Capabilities | undefined): void {
  const unknown = capabilities?.expressions?.functions.find((each) => !functions.includes(each));
  if (unknown !== undefined)
    throw new TypeError(
      `capabilities.expressions names the function ${JSON.stringify(unknown)}; there are: ${functions.join(", ")}`,
    );
}

function checkId(id: unknown, seen: Set<string>, what: string): void {
  if (typeof id !== "string" || id === "") throw new TypeError(`a ${what} has no id`);
  if (seen.has(id))
    throw new TypeError(`there are two of the ${what} with the id ${JSON.stringify(id)}`);
  seen.add(id);
}

function checkType({ id, type, subtype }: ColumnDefinition, where: string): void {
  const what = `the ${where} with the id ${JSON.stringify(id)}`;
  if (!Object.hasOwn(subtypes, type))
    throw new TypeError(
      `${what} has the type ${JSON.stringify(type)}; there are: numeric, datetime, hierarchy`,
    );
  if (subtype !== undefined && !subtypes[type].includes(subtype))
    throw new TypeError(
      `${what} is ${type} and has the subtype ${JSON.stringify(subtype)}; there are: ${subtypes[type].join(", ") || "none"}`,
    );
}

const multilingual = (text: Text): Multilingual => (typeof text === "string" ? { en: text } : text);
