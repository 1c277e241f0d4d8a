import {
  isRanking,
  localizedText,
  queryOf,
  readColumns,
  titleOf,
  totalsOf,
  loadWords,
  wordsOf,
  writePage,
  type ChartItem,
  type Page,
  type SlotField,
  type TotalsQuery,
} from "../web/charts/index.ts";
import { refuseWithout } from "../identity/index.ts";
import { arrowType, isObject, jsonType, type Members } from "../base/index.ts";
import type { AnsweredTable, Queries, TableColumn } from "../queries/index.ts";
import { drawDashboard } from "./drawDashboard.ts";
import { drawStored, type DrawOptions } from "./drawStored.ts";
import { csvSignsOf, standardSigns } from "./formats/csvSigns.ts";
import { sheetLookOf, type SheetLook } from "./formats/sheetLook.ts";
import { sortedTable } from "./formats/sortedTable.ts";
import { tableTotals, type TableTotals } from "./formats/tableTotals.ts";
import { writeCsv } from "./formats/writeCsv.ts";
import { writeParquet } from "./formats/writeParquet.ts";
import { writeXlsx } from "./formats/writeXlsx.ts";
import { instantFormat } from "./instantFormat.ts";
import {
  exportFormats,
  isDataFormat,
  type DataFormat,
  type PictureFormat,
} from "./exportFormats.ts";
import type { ExportWords } from "./named/exportWords.ts";
import { exportWordsOf } from "./named/exportWordsOf.ts";
import { nameChosen } from "./named/nameChosen.ts";
import { drawPages } from "./pages/drawPages.ts";
import { usualPaper } from "./paper.ts";
import type { ChosenSort } from "./parseChosen.ts";
import type { ParsedExport } from "./parseExport.ts";
import type { FontFace, Fonts } from "./pictures/openFonts.ts";
import { refuseTooLarge } from "./pictures/refuseTooLarge.ts";
import { screenPoints, writePdf } from "./pictures/writePdf.ts";
import { writePng } from "./pictures/writePng.ts";
import { orderedQuery } from "./sortChosen.ts";
import { themeOf } from "./themeOf.ts";
import {
  filtersIn,
  itemOf,
  readDashboard,
  type Dashboard,
  type ExportCaller,
  type RecordReaders,
} from "./readDashboard.ts";

export interface ExportSources {
  readonly queries: Pick<Queries, "answer" | "table" | "write">;
  readonly readers: RecordReaders;
  readonly fonts: Fonts;
  /**
   * Returns the current time in milliseconds since 1970-01-01T00:00:00Z.
   * @default Date.now
   */
  readonly now?: () => number;
  /** Called with the characters of a picture that no installed font contains. */
  readonly onMissing?: (characters: readonly string[]) => void;
}

/** An export whose query has been answered. The bytes of the file are produced while a reader consumes them. */
export interface PreparedExport {
  /** Title of a dashboard or an item; absent for the rows of a query. */
  readonly title?: string;
  /** What a reader chose, as sentences for people: the filters and the values of parameters. */
  readonly filters: readonly string[];
  /** The time zone of the file; undefined for UTC. */
  readonly timezoneId: string | undefined;
  /** Number of cells in a file of rows; 0 for a picture. */
  readonly cellCount: number;
  /** Number of rows with data, in a file of rows or in all items of a picture. Absent if the rows are not counted. */
  readonly rowCount?: number;
  /** What the file leaves out, as sentences for people. */
  readonly warnings: readonly string[];
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/**
 * Runs the queries of an export with the caller's rights.
 * @throws {ApiError | PluginError} if a query fails; RECORD_NOT_FOUND; FORBIDDEN for a caller that may not export
 */
export async function prepareExport(
  given: ParsedExport,
  caller: ExportCaller,
  sources: ExportSources,
  { onFailure, usual }: PrepareOptions = {},
): Promise<PreparedExport> {
  refuseWithoutExports(caller);
  const { source, format } = given;
  if ("query" in source) {
    if (!isDataFormat(format)) throw new TypeError(`${format} cannot contain rows`);
    const parsed = { ...given, ...shownTo(caller, given, optionsOf(source.query), usual) };
    return prepareRows(source.query, parsed, format, caller, sources);
  }
  const dashboard = await readDashboard(source.securableId, caller, sources.readers, source.chosen);
  const parsed = { ...given, ...shownTo(caller, given, dashboard, usual) };
  const { localeId, timezoneId } = parsed;
  await loadWords(localeId ?? "en");
  const item = source.itemId === undefined ? undefined : itemOf(dashboard, source.itemId);
  const answer = async (query: object) => {
    const answers = await sources.queries.answer(query, caller.principal, caller.signal);
    const { data = [], warnings = [] } = [answers].flat()[0] ?? {};
    return { rows: data, warnings };
  };
  const ofDashboard = localizedText(dashboard.name, localeId ?? "en");
  const title = (item ? titleIn(item, parsed) : "") || ofDashboard;
  const filters = await nameChosen(dashboard, item, { localeId, timezoneId, answer });
  if (isDataFormat(format)) {
    if (!item) throw new TypeError(`${format} cannot show dashboards`);
    const rows = await prepareItemRows({ dashboard, item, title, filters }, parsed, format, {
      caller,
      sources,
    });
    return { ...rows, title, filters };
  }
  const theme = await themeOf(dashboard, parsed.theme, caller, sources.readers);
  let rowCount = 0;
  const drawing: DrawOptions = {
    ...parsed,
    theme,
    ...(onFailure && { onFailure }),
    onRows: (count) => (rowCount += count),
    answer,
  };
  const named = { title: ofDashboard, filters };
  const chunks = each([await picture(format)]);
  // The picture itself shows the warnings of its queries, and its filters.
  return { title, filters, timezoneId, cellCount: 0, rowCount, warnings: [], chunks };

  async function picture(form: PictureFormat): Promise<string | Uint8Array> {
    const { paper, scale } = parsed;
    if (form === "pdf" && paper) {
      const name = paper.name ?? usualPaper(localeId);
      const pages = await drawPages(dashboard, item, drawing, {
        ...named,
        paper: { name, orientation: paper.orientation },
        width: parsed.pageWidth,
        atMs: (sources.now ?? Date.now)(),
      });
      return writePdf(pages, await facesOf(pages));
    }
    const page = await draw();
    if (form === "svg") return writePage(page);
    const faces = await facesOf([page]);
    switch (form) {
      case "pdf":
        return writePdf([{ ...page, pointsPerPixel: screenPoints }], faces);
      case "png":
        return writePng(page, { faces, scale });
      case "base64":
        return (await writePng(page, { faces, scale })).toString("base64");
    }
  }

  async function draw(): Promise<Page> {
    if (!item) return drawDashboard(dashboard, drawing, parsed, named);
    refuseTooLarge(parsed, parsed);
    const scene = await drawStored(dashboard, item, { ...drawing, filters });
    const { width, height, background } = scene;
    return { width, height, background, title: scene.title, placed: [{ x: 0, y: 0, scene }] };
  }

  async function facesOf(pages: readonly Page[]): Promise<readonly FontFace[]> {
    const { faces, missing } = await sources.fonts.facesOf(textsOf(pages));
    if (missing.length > 0) sources.onMissing?.(missing);
    return faces;
  }
}

/** Returns the title of an item in the language of its file. */
function titleIn(item: ChartItem, { localeId = "en", timezoneId = "UTC" }: Shown): string {
  const { fields } = queryOf(item) ?? { fields: [] };
  return titleOf(item, readColumns({ fields, localeId, timezoneId }), localeId);
}

/** An item whose rows are exported, with the title of its file and the filters that the file names. */
interface ExportedItem {
  readonly dashboard: Dashboard;
  readonly item: ChartItem;
  readonly title: string;
  readonly filters: readonly string[];
}

/** Runs the query of an item for a file of its rows, in the order that the reader chose. */
async function prepareItemRows(
  { dashboard, item, title, filters }: ExportedItem,
  parsed: ParsedExport,
  format: DataFormat,
  { caller, sources }: { readonly caller: ExportCaller; readonly sources: ExportSources },
): Promise<PreparedExport> {
  const { where, having } = filtersIn(dashboard, item);
  const stored = queryOf(item, { where, isWhole: true });
  const { sort } = dashboard.chosen.items.get(item.id) ?? {};
  const isLater = isRanking(item);
  const ordered = stored && sort && !isLater ? orderedQuery(stored.query, sort) : stored?.query;
  const query = { ...ordered, ...(having.length > 0 && { having }) };
  const { isRaw } = exportFormats[format];
  const shown: ShownItem = {
    look: format === "xlsx" ? sheetLookOf(item, parsed.localeId ?? "en") : undefined,
    ofTotals: isRaw ? undefined : totalsOf(item, { where, having }),
    fields: isRaw ? undefined : stored?.fields,
    about: { title, filters },
    sort: sort && isLater ? sort : undefined,
  };
  return prepareRows(query, parsed, format, caller, sources, shown);
}

/**
 * Throws if the caller does not have the export feature.
 * @throws {ApiError} FORBIDDEN
 */
export function refuseWithoutExports({ principal }: Pick<ExportCaller, "principal">): void {
  refuseWithout("flag_export", principal, "export");
}

interface PrepareOptions extends Pick<DrawOptions, "onFailure"> {
  /** The language and the time zone to use if no other setting applies. */
  readonly usual?: Shown;
}

interface Shown {
  readonly localeId?: string | undefined;
  readonly timezoneId?: string | undefined;
}

/**
 * Returns the language and the time zone of a file. The request takes precedence over the query or dashboard, which
 * takes precedence over the token.
 */
function shownTo(
  { principal: { restriction } }: Pick<ExportCaller, "principal">,
  { localeId, timezoneId }: ParsedExport,
  own: Shown,
  usual: Shown = {},
): Pick<ParsedExport, "localeId" | "timezoneId"> {
  return {
    localeId: localeId ?? own.localeId ?? restriction?.localeId ?? usual.localeId,
    timezoneId: timezoneId ?? own.timezoneId ?? restriction?.timezoneId ?? usual.timezoneId,
  };
}

/**
 * Returns the language and the time zone that a query sets. They are not validated here, because running the query does
 * so.
 */
function optionsOf({ options }: Readonly<Record<string, unknown>>): Shown {
  const { locale_id: localeId, timezone_id: timezoneId } = isObject(options) ? options : {};
  return {
    localeId: typeof localeId === "string" ? localeId : undefined,
    timezoneId: typeof timezoneId === "string" ? timezoneId : undefined,
  };
}

/** The settings with which a file for people shows the rows of an item. */
interface ShownItem {
  readonly look?: SheetLook | undefined;
  readonly ofTotals?: TotalsQuery | undefined;
  /** The fields of the item, whose labels head the columns of a file for people. */
  readonly fields?: readonly SlotField[] | undefined;
  /** What a sheet says about its rows. */
  readonly about?: { readonly title: string; readonly filters: readonly string[] } | undefined;
  /** The order of the rows, if the query has another order. */
  readonly sort?: ChosenSort | undefined;
}

/** Runs a query and prepares a file of its rows. The rows are written when the file is read. */
async function prepareRows(
  query: Members<"dimensions" | "options">,
  { localeId, timezoneId, csvDialect }: ParsedExport,
  format: DataFormat,
  { principal, signal }: ExportCaller,
  { queries }: ExportSources,
  { look, ofTotals, fields = [], about, sort }: ShownItem = {},
): Promise<PreparedExport> {
  const shown = (each: Members<"options">) => ({
    ...each,
    options: {
      ...(isObject(each.options) && each.options),
      ...(localeId !== undefined && { locale_id: localeId }),
      ...(timezoneId !== undefined && { timezone_id: timezoneId }),
    },
  });
  const wanted = shown(query);
  if (format === "json" || format === "arrow") {
    const written = await queries.write(
      wanted,
      principal,
      signal,
      format === "json" ? jsonType : arrowType,
    );
    return { ...written, filters: [], timezoneId };
  }
  const [answer, answered] = await Promise.all([
    queries.table(wanted, principal, signal),
    ofTotals && queries.table(shown(ofTotals.query), principal, signal),
    loadWords(localeId ?? "en"),
  ]);
  const labelled = {
    ...answer,
    columns: answer.columns.map((column, index) => {
      const label = localizedText(fields[index]?.label, localeId ?? "en");
      return label === "" ? column : { ...column, name: label };
    }),
  };
  const table = sort ? sortedTable(labelled, sort, localeId ?? "en") : labelled;
  const totals =
    ofTotals &&
    answered &&
    tableTotals(answered, (cells) => ofTotals.place(cells), wordsOf(localeId ?? "en").total);
  const warnings = [...new Set([...table.warnings, ...(answered?.warnings ?? [])])];
  const { dimensions } = query;
  const isGrouped = Array.isArray(dimensions) && dimensions.length > 0;
  // A query without dimensions always returns a row, which may contain nothing.
  const hasNumber = (column: TableColumn) =>
    column.type === "number"
      ? table.rowCount > 0 && ![0, Number.NaN].includes(column.number(0))
      : table.rowCount > 0 && column.text(0) !== null;
  const chunks = rowsOf({ ...table, warnings }, format, {
    localeId: localeId ?? "en",
    timezoneId: timezoneId ?? "UTC",
    csvDialect,
    look,
    totals,
    about,
  });
  return {
    rowCount: isGrouped || table.columns.some(hasNumber) ? table.rowCount : 0,
    cellCount: (table.rowCount + (totals ? 1 : 0)) * table.columns.length,
    warnings,
    filters: [],
    timezoneId,
    chunks,
  };
}

/** How the rows of a file are written. */
interface WrittenRows extends Pick<ShownItem, "look" | "about">, Pick<ParsedExport, "csvDialect"> {
  readonly localeId: string;
  readonly timezoneId: string;
  readonly totals: TableTotals | undefined;
}

function rowsOf(
  table: AnsweredTable,
  format: Exclude<DataFormat, "json" | "arrow">,
  { localeId, timezoneId, csvDialect, look, totals, about }: WrittenRows,
): AsyncIterable<string | Uint8Array> {
  const { isRaw = false } = exportFormats[format];
  const instants = instantFormat(timezoneId);
  switch (format) {
    case "parquet":
      return table.inSlices(writeParquet(table));
    case "xlsx":
    case "xlsx-raw": {
      const words = exportWordsOf(localeId);
      const notes = about ? notesAbout(about, words) : [];
      return writeXlsx(table, { isRaw, instants, look, totals, notes });
    }
    case "csv":
    case "csv-raw": {
      const signs = csvDialect === "locale" && !isRaw ? csvSignsOf(localeId) : standardSigns;
      return table.inSlices(writeCsv(table, { isRaw, instants, totals, signs }));
    }
  }
}

/** Returns what a sheet says about its rows: the title, and the filters. Empty without filters. */
function notesAbout(
  { title, filters }: { readonly title: string; readonly filters: readonly string[] },
  words: ExportWords,
): readonly string[] {
  if (filters.length === 0) return [];
  return [title, ...filters.map((filter) => `${words.filters}: ${filter}`)].filter(Boolean);
}

function* textsOf(pages: readonly Page[]): Generator<string> {
  for (const { placed } of pages)
    for (const { scene } of placed)
      for (const node of scene.nodes) if (node.kind === "text") yield node.text;
}

async function* each(
  chunks: readonly (string | Uint8Array)[],
): AsyncGenerator<string | Uint8Array> {
  yield* chunks;
}
