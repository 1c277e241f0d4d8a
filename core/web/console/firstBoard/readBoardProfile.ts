import { loadCountryFinder, wallClock } from "../../charts/index.ts";
import type { Api } from "../api/index.ts";
import { readerLocale, readerZone, textOf } from "../language/index.ts";
import { readDataset, rowCountOf, wordsIn, type ExploredColumn } from "../questions/index.ts";
import type { BoardProfile, ColumnProfile, PeriodCount, TrendProfile } from "./boardProfile.ts";
import { rankColumns } from "./rankColumns.ts";
import { trendLevel } from "./trendLevel.ts";

/** Columns whose values are counted. Further columns are left out, and the board says so. */
export const mostColumns = 60;
/** Columns per query. */
const columnsPerQuery = 20;
const sampledRows = 200;
const mostPeriods = 400;
/** Share of values that must be countries for a map. */
const countryShare = 0.8;
const countryWords =
  /^(countr(y|ies)|nation|land|länder|laender|pays|país|pais|paese|iso|iso2|iso3)$/;

type Row = readonly unknown[];
interface Answer {
  readonly data?: readonly Row[];
  readonly error?: { readonly message: string };
}

/** A profile, and how many columns the dataset has in total. */
export interface ReadProfile {
  readonly profile: BoardProfile;
  readonly columnCount: number;
}

/**
 * Reads the shape of a dataset with the rights of the reader: counts of each column, the first rows, and the rows per
 * period of the column for trends. Takes three calls. Where the host cannot count a column, the first rows are counted
 * instead. Undefined if the reader does not see the dataset.
 */
export async function readBoardProfile(
  api: Pick<Api, "call" | "get">,
  datasetId: string,
  nowMs: number = Date.now(),
): Promise<ReadProfile | undefined> {
  const dataset = await readDataset(api, datasetId);
  if (!dataset) return undefined;
  const columns = dataset.columns
    .filter(({ type }) => ["numeric", "hierarchy", "datetime"].includes(type))
    .slice(0, mostColumns);
  const { rows, counts, samples } = await readCounts(api, datasetId, columns);
  const profiles = await Promise.all(
    columns.map((column, index) =>
      profileOf(column, {
        counts: counts[index],
        samples: samples.flatMap((row) => (row[index] === null ? [] : [row[index]])),
      }),
    ),
  );
  const profile = { datasetId, name: textOf(dataset.name), rows, columns: profiles, nowMs };
  const { time } = rankColumns(profile);
  const trend = time && (await readTrend(api, datasetId, time));
  return {
    columnCount: dataset.columns.length,
    profile: { ...profile, ...(trend && { trend }) },
  };
}

/** Fetches the counts of all columns and the first rows in one call. */
async function readCounts(
  api: Pick<Api, "call">,
  datasetId: string,
  columns: readonly ExploredColumn[],
) {
  const options = { cells: "plain", timezone_id: readerZone };
  const referenceOf = ({ id }: ExploredColumn) => ({ dataset_id: datasetId, column_id: id });
  const every = rowCountOf(datasetId);
  const parts: (readonly ExploredColumn[])[] = [];
  for (let at = 0; at < columns.length; at += columnsPerQuery)
    parts.push(columns.slice(at, at + columnsPerQuery));
  const aggregationsOf = ({ type }: ExploredColumn) =>
    type === "hierarchy" ? ["count", "distinctcount"] : ["count", "distinctcount", "min", "max"];
  const queries = [
    { measures: [every], options },
    ...parts.map((part) => ({
      measures: part.flatMap((column) =>
        aggregationsOf(column).map((aggregation) => ({
          ...referenceOf(column),
          aggregation: { type: aggregation },
        })),
      ),
      options,
    })),
    {
      dimensions: columns.map(referenceOf),
      limit: { by: sampledRows },
      options: { ...options, rollup_data: false },
    },
  ];
  const answered = await api.call<Answer | readonly Answer[]>("data", "get", { find: { queries } });
  const answers = [answered].flat();
  const [whole] = answers;
  if (!whole?.data) throw new Error(whole?.error?.message ?? "no answer");
  const samples = answers.at(-1)?.data ?? [];
  const counts = parts.flatMap((part, index): (Row | undefined)[] => {
    const row = answers[index + 1]?.data?.[0];
    let at = 0;
    return part.map((column) => {
      const length = aggregationsOf(column).length;
      const cells = row?.slice(at, at + length);
      at += length;
      return cells;
    });
  });
  return { rows: Number(whole.data[0]?.[0] ?? 0), counts, samples };
}

async function profileOf(
  column: ExploredColumn,
  { counts, samples }: { readonly counts: Row | undefined; readonly samples: readonly unknown[] },
): Promise<ColumnProfile> {
  const { id, name, type, subtype, format } = column;
  const title = textOf(name) || id;
  const values = [...new Set(samples)];
  const sorted = values.toSorted((one, other) =>
    typeof one === "number" && typeof other === "number"
      ? one - other
      : String(one) < String(other)
        ? -1
        : 1,
  );
  const [filled, distinct, least = null, most = null] = counts ?? [
    samples.length,
    values.length,
    sorted[0],
    sorted.at(-1),
  ];
  // Nobody chose the aggregation that the host sets for every column.
  const aggregation = column.aggregation_type === "sum" ? null : column.aggregation_type;
  return {
    id,
    name,
    title,
    type,
    subtype,
    format,
    aggregation,
    filled: Number(filled ?? 0),
    distinct: Number(distinct ?? 0),
    least,
    most,
    samples,
    ...(!counts && { isSampled: true }),
    ...(type === "hierarchy" && (await isCountry(title, values)) && { isCountry: true }),
  };
}

/** Returns whether a column's name says that its values are countries, and most of its values are. */
async function isCountry(title: string, values: readonly unknown[]): Promise<boolean> {
  if (values.length < 2 || !wordsIn(title).some((word) => countryWords.test(word))) return false;
  const findCountry = await loadCountryFinder();
  const found = values.filter((each) => findCountry(String(each), readerLocale) !== undefined);
  return found.length >= values.length * countryShare;
}

/** Fetches the number of rows per period. Undefined if the values do not suit a trend. */
async function readTrend(
  api: Pick<Api, "call">,
  datasetId: string,
  column: ColumnProfile,
): Promise<TrendProfile | undefined> {
  const level = trendLevel(column);
  if (level === undefined) return undefined;
  const find = {
    dimensions: [{ dataset_id: datasetId, column_id: column.id, level }],
    measures: [rowCountOf(datasetId)],
    limit: { by: mostPeriods },
    options: { cells: "plain", timezone_id: readerZone },
  };
  const { data = [] } = await api.call<Answer>("data", "get", { find });
  const isDate = column.subtype === "date";
  const periods = data
    .flatMap(([start, rows]): PeriodCount[] =>
      typeof start === "string" ? [{ start: wallTime(start, isDate), rows: Number(rows) }] : [],
    )
    .toSorted((one, other) => (one.start < other.start ? -1 : 1));
  return periods.length >= 3 ? { columnId: column.id, level, periods } : undefined;
}

/** Returns an instant on the reader's clock, without its zone. Dates have no zone. */
function wallTime(instant: string, isDate: boolean): string {
  const ms = isDate ? Date.parse(instant) : wallClock(Date.parse(instant), readerZone);
  return new Date(ms).toISOString().slice(0, 19);
}
