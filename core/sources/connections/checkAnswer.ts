import {
  isDataType,
  type AnsweredBatch,
  answerType,
  type Dataset,
  type Demotion,
  parseApplied,
  PluginError,
  type ProbedCapabilities,
  type Query,
  type BatchColumn,
  wrongNarrowing,
} from "../../../plugins/protocol/index.ts";

/**
 * Checks a plugin's list of datasets. Ids must be unique, non-empty strings, types must be known, and narrowings must
 * follow the protocol. O(columns).
 * @throws {PluginError} PLUGIN_BAD_ANSWER with the dataset and the column
 */
export function checkDatasets(datasets: readonly Dataset[]): void {
  if (!Array.isArray(datasets)) throw bug("datasets must return an array");
  const ids = new Set<string>();
  for (const dataset of datasets) {
    const { id, columns } = dataset;
    checkId(ids, id, "dataset");
    checkTexts(dataset, `the dataset ${quote(id)}`);
    if (!Array.isArray(columns)) throw bug(`the dataset ${quote(id)} must have columns`);
    const columnIds = new Set<string>();
    for (const column of columns) {
      checkId(columnIds, column.id, `column of dataset ${quote(id)}`);
      checkTexts(column, `the column ${quote(column.id)} of dataset ${quote(id)}`);
      if (!isDataType(column.type))
        throw bug(`the column ${quote(column.id)} of dataset ${quote(id)} must have a known type`);
      const wrong = column.narrowed && wrongNarrowing(column.narrowed);
      if (wrong !== undefined)
        throw bug(`the column ${quote(column.id)} of dataset ${quote(id)}: ${wrong}`);
    }
  }
}

export interface BatchCheckOptions {
  readonly query: Query;
  readonly dataset: Pick<Dataset, "id" | "columns">;
  /** Whether the plugin supports projection. Without it, the plugin returns all columns of the dataset. */
  readonly isProjected: boolean;
  /** Maximum total size of all batches, in bytes. */
  readonly sizeBytes: number;
}

/**
 * Creates the check for the batches of one answer. Each batch must have the requested columns, with the right types and
 * equal lengths. Together, batches must not exceed `sizeBytes`, and `applied` must contain only filters of the query.
 * Cells are checked where they are read from the wire. O(columns) per batch.
 * @throws {PluginError} PLUGIN_BAD_ANSWER with the column or member, PLUGIN_SOURCE_FAILED above the size
 */
export function createBatchCheck({
  query,
  dataset,
  isProjected,
  sizeBytes,
}: BatchCheckOptions): (batch: AnsweredBatch) => void {
  const byId = new Map(dataset.columns.map((column) => [column.id, column]));
  const expected = isProjected
    ? query.columns.map((requested) => ({
        id: requested.column_id,
        type: answerType(requested, byId.get(requested.column_id)),
      }))
    : dataset.columns;
  let size = 0;
  return (batch) => {
    if (!Number.isSafeInteger(batch.rowCount) || batch.rowCount < 0)
      throw bug("its answer must have a row count");
    if (batch.applied !== undefined) parseApplied(batch.applied, query.filters.length, "applied");
    if (batch.columns.length !== expected.length)
      throw bug(`it returned ${batch.columns.length} columns instead of ${expected.length}`);
    expected.forEach(({ id, type }, index) => {
      const vector = batch.columns[index];
      if (!vector || vector.type !== type)
        throw bug(
          `it returned the column ${quote(id)} as ${vector?.type ?? "nothing"} instead of ${type}; ` +
            "if the source changed, synchronize the dataset's metadata",
        );
      const cells = cellsOf(vector);
      if (cells.length !== batch.rowCount)
        throw bug(`it returned ${cells.length} cells of ${quote(id)} for ${batch.rowCount} rows`);
      size += cells.byteLength;
    });
    if (size > sizeBytes)
      throw new PluginError("PLUGIN_SOURCE_FAILED", [
        `the answer is larger than ${Math.floor(sizeBytes / 2 ** 20)} MB`,
      ]);
  };
}

const mostDemoted = 100;

/**
 * Checks the answer to a probe. Strings that are shown to people are truncated to 500 characters.
 * @throws {PluginError} PLUGIN_BAD_ANSWER with the member
 */
export function checkedProbe(probed: ProbedCapabilities | undefined): ProbedCapabilities {
  const { capabilities, demoted, warnings = [] } = probed ?? {};
  if (typeof capabilities !== "object" || capabilities === null)
    throw bug("capabilitiesOf must return capabilities");
  if (!Array.isArray(demoted) || demoted.length > mostDemoted)
    throw bug(`demoted must be an array of at most ${mostDemoted} entries`);
  if (!Array.isArray(warnings) || warnings.length > mostDemoted)
    throw bug(`warnings must be an array of at most ${mostDemoted} entries`);
  const text = (value: unknown, member: string): string => {
    if (typeof value === "string" && value !== "") return value.slice(0, 500).toWellFormed();
    throw bug(`${member} must be a string`);
  };
  return {
    capabilities,
    demoted: demoted.map((each: Partial<Demotion> | null, index) => ({
      capability: text(each?.capability, `demoted[${index}].capability`),
      reason: text(each?.reason, `demoted[${index}].reason`),
    })),
    ...(warnings.length > 0 && {
      warnings: warnings.map((each: unknown, index) => text(each, `warnings[${index}]`)),
    }),
  };
}

function cellsOf(vector: BatchColumn): Float64Array | Int32Array {
  const cells = vector.type === "hierarchy" ? vector.codes : vector.values;
  const isTyped = cells instanceof Float64Array || cells instanceof Int32Array;
  if (!isTyped) throw bug(`a ${vector.type} column must contain a typed array`);
  return cells;
}

/**
 * Checks ids, names and descriptions. They become records of the catalog, which can store neither NUL nor unpaired
 * surrogates.
 */
function checkTexts(
  { id, name, description }: Pick<Dataset, "id" | "name" | "description">,
  what: string,
): void {
  const texts = [id, ...Object.values(name ?? {}), ...Object.values(description ?? {})];
  for (const text of texts)
    if (typeof text === "string" && (text.includes("\u0000") || !text.isWellFormed()))
      throw bug(`a string of ${what} must not contain NUL or an unpaired surrogate`);
}

function checkId(seen: Set<string>, id: unknown, what: string): void {
  if (typeof id !== "string" || id === "") throw bug(`each ${what} must have an id`);
  if (id.length > 1000) throw bug(`the id of a ${what} must have at most 1000 characters`);
  if (seen.has(id)) throw bug(`the ${what} ${quote(id)} must occur only once`);
  seen.add(id);
}

const quote = (id: string): string => JSON.stringify(String(id).slice(0, 200).toWellFormed());

function bug(detail: string): PluginError {
  return new PluginError("PLUGIN_BAD_ANSWER", [detail]);
}
