import { namesOf, reportContents, type KnownColumn } from "../../resources/index.ts";
import type { WantedRecord } from "./readFolder.ts";
import type { TransferRecord } from "./record.ts";

/** The records to which contents can refer. */
export interface ContentsScope {
  /** The records of the folder. */
  readonly wanted: Iterable<WantedRecord>;
  /** The records of the organization. */
  readonly present: Iterable<TransferRecord>;
  /** The ids of records in the organization, by their ids in the folder. */
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * Creates a function that reports what a dashboard of the folder would not show: one sentence per problem, with its
 * file. Apply changes the dashboard nevertheless, because the API stores it.
 */
export function createContentsReport(
  scope: ContentsScope,
): (record: WantedRecord) => readonly string[] {
  const columns = columnsOf(scope);
  return ({ file, kind, properties }) => {
    const { contents } = properties;
    if (kind !== "dashboard" || contents === null || contents === undefined) return [];
    const { isDrawable, warnings } = reportContents(contents, columns);
    const head = isDrawable ? [] : [`${file}: properties.contents: nothing in it could be drawn`];
    return [...head, ...warnings.map((each) => `${file}: properties.${each}`)];
  };
}

/**
 * Returns the columns and formulas of each dataset, by its ids in the folder and in the organization. If only the
 * source knows a dataset's columns, the value is undefined.
 */
function columnsOf({
  wanted,
  present,
  ids,
}: ContentsScope): ReadonlyMap<string, readonly KnownColumn[] | undefined> {
  const known = new Map<string, KnownColumn[] | undefined>();
  const records: TransferRecord[] = [...present, ...wanted];
  const add = (datasetId: string, { id, properties }: TransferRecord) => {
    const { name, source_name: sourceName } = properties;
    const names = [...namesOf(name), ...namesOf(sourceName)];
    for (const each of new Set([datasetId, ids.get(datasetId) ?? datasetId]))
      known.get(each)?.push({ id, names });
  };
  const withColumns = new Set(
    records.flatMap(({ kind, parent }) => (kind === "column" ? (parent ?? []) : [])),
  );
  for (const { kind, id, source } of records)
    if (kind === "dataset")
      known.set(id, withColumns.has(id) || source?.kind === "pushed" ? [] : undefined);
  for (const record of records) {
    if (record.kind === "column" && record.parent !== undefined) add(record.parent, record);
    const { Securables: datasets = [] } = record.links;
    if (record.kind === "formula") for (const { id } of datasets) add(id.toLowerCase(), record);
  }
  return known;
}
