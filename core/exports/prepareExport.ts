import {
  filtersOf,
  localizedText,
  queryOf,
  totalsOf,
  wordsOf,
  writePage,
  writeSvg,
  type ChartItem,
  type Page,
  type SlotField,
  type TotalsQuery,
} from "../web/charts/index.ts";
import { refuseWithout } from "../identity/index.ts";
import { arrowType, isObject, jsonType, type Members } from "../base/index.ts";
import type { AnsweredTable, Queries } from "../queries/index.ts";
import { drawDashboard } from "./drawDashboard.ts";
import { drawStored, type DrawOptions } from "./drawStored.ts";
import { sheetLookOf, type SheetLook } from "./formats/sheetLook.ts";
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
import type { ParsedExport } from "./parseExport.ts";
import type { Fonts } from "./pictures/openFonts.ts";
import { refuseTooLarge } from "./pictures/refuseTooLarge.ts";
import { writePdf } from "./pictures/writePdf.ts";
import { writePng } from "./pictures/writePng.ts";
import { themeOf } from "./themeOf.ts";
import { itemOf, readDashboard, type ExportCaller, type RecordReaders } from "./readDashboard.ts";

export interface ExportSources {
  readonly queries: Pick<Queries, "answer" | "table" | "write">;
  readonly readers: RecordReaders;
  readonly fonts: Fonts;
  /** Called with the characters of a picture that no installed font contains. */
  readonly onMissing?: (characters: readonly string[]) => void;
}

/** An export whose query has been answered. The bytes of the file are produced while a reader consumes them. */
export interface PreparedExport {
  /** Title of a picture; absent for a file of rows. */
  readonly title?: string;
  /** Number of cells in a file of rows; 0 for a picture. */
  readonly cellCount: number;
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
  const dashboard = await readDashboard(source.securableId, caller, sources.readers);
  const parsed = { ...given, ...shownTo(caller, given, dashboard, usual) };
  const item = source.itemId === undefined ? undefined : itemOf(dashboard, source.itemId);
  if (isDataFormat(format)) {
    if (!item) throw new TypeError(`${format} cannot show dashboards`);
    const { where, having } = filtersOf(dashboard, item);
    const stored = queryOf(item, { where, isWhole: true });
    const query = { ...stored?.query, ...(having.length > 0 && { having }) };
    const look = format === "xlsx" ? sheetLookOf(item) : undefined;
    const { isRaw } = exportFormats[format];
    const ofTotals = isRaw ? undefined : totalsOf(item, { where, having });
    const labels = isRaw ? undefined : stored?.fields.map(({ label }) => label);
    return prepareRows(query, parsed, format, caller, sources, { look, ofTotals, labels });
  }
  const drawing: DrawOptions = {
    ...parsed,
    theme: await themeOf(dashboard, parsed.theme, caller, sources.readers),
    ...(onFailure && { onFailure }),
    answer: async (query) => {
      const answers = await sources.queries.answer(query, caller.principal, caller.signal);
      return [answers].flat()[0]?.data ?? [];
    },
  };
  const page = await draw(item);
  return { title: page.title, cellCount: 0, chunks: each([await picture(format, parsed, page)]) };

  async function draw(one: ChartItem | undefined) {
    if (!one) return drawDashboard(dashboard, drawing, parsed);
    refuseTooLarge(parsed, parsed);
    const scene = await drawStored(dashboard, one, drawing);
    const { width, height, background, title } = scene;
    return { width, height, background, title, placed: [{ x: 0, y: 0, scene }] };
  }

  async function picture(
    form: PictureFormat,
    { scale }: ParsedExport,
    page: Page,
  ): Promise<string | Uint8Array> {
    const [only] = page.placed;
    if (form === "svg") return item && only ? writeSvg(only.scene) : writePage(page);
    const { faces, missing } = await sources.fonts.facesOf(textsOf(page));
    if (missing.length > 0) sources.onMissing?.(missing);
    switch (form) {
      case "pdf":
        return writePdf(page, faces);
      case "png":
        return writePng(page, { faces, scale });
      case "base64":
        return (await writePng(page, { faces, scale })).toString("base64");
    }
  }
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
  /** The labels of the item's fields, which head the columns of a file for people. */
  readonly labels?: readonly SlotField["label"][] | undefined;
}

/** Runs a query and prepares a file of its rows. The rows are written when the file is read. */
async function prepareRows(
  query: Readonly<Record<string, unknown>>,
  { localeId, timezoneId }: ParsedExport,
  format: DataFormat,
  { principal, signal }: ExportCaller,
  { queries }: ExportSources,
  { look, ofTotals, labels = [] }: ShownItem = {},
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
  if (format === "json" || format === "arrow")
    return queries.write(wanted, principal, signal, format === "json" ? jsonType : arrowType);
  const [answer, answered] = await Promise.all([
    queries.table(wanted, principal, signal),
    ofTotals && queries.table(shown(ofTotals.query), principal, signal),
  ]);
  const table = {
    ...answer,
    columns: answer.columns.map((column, index) => {
      const label = localizedText(labels[index], localeId ?? "en");
      return label === "" ? column : { ...column, name: label };
    }),
  };
  const totals =
    ofTotals &&
    answered &&
    tableTotals(answered, (cells) => ofTotals.place(cells), wordsOf(localeId ?? "en").total);
  const chunks = rowsOf(table, format, timezoneId ?? "UTC", { look, totals });
  return { cellCount: (table.rowCount + (totals ? 1 : 0)) * table.columns.length, chunks };
}

function rowsOf(
  table: AnsweredTable,
  format: Exclude<DataFormat, "json" | "arrow">,
  timezoneId: string,
  {
    look,
    totals,
  }: { readonly look?: SheetLook | undefined; readonly totals?: TableTotals | undefined },
): AsyncIterable<string | Uint8Array> {
  const { isRaw = false } = exportFormats[format];
  const { wallClock, write } = instantFormat(timezoneId);
  switch (format) {
    case "parquet":
      return table.inSlices(writeParquet(table));
    case "xlsx":
    case "xlsx-raw":
      return writeXlsx(table, { isRaw, wallClock, look, totals });
    case "csv":
    case "csv-raw":
      return table.inSlices(writeCsv(table, { isRaw, writeInstant: write, totals }));
  }
}

function* textsOf({ placed }: Page): Generator<string> {
  for (const { scene } of placed)
    for (const node of scene.nodes) if (node.kind === "text") yield node.text;
}

async function* each(
  chunks: readonly (string | Uint8Array)[],
): AsyncGenerator<string | Uint8Array> {
  yield* chunks;
}
