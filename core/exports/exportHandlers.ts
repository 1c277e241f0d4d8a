import { queryOf, writePage, writeSvg, type ChartItem } from "../charts/index.ts";
import {
  arrowType,
  jsonType,
  WrittenAnswer,
  type ApiCall,
  type ResourceHandlers,
} from "../contracts/index.ts";
import type { AnsweredTable, Queries } from "../queries/index.ts";
import { drawDashboard } from "./drawDashboard.ts";
import { drawStored, type DrawOptions } from "./drawStored.ts";
import { filtersOf } from "./filtersOf.ts";
import { writeCsv } from "./formats/writeCsv.ts";
import { writeParquet } from "./formats/writeParquet.ts";
import { writeXlsx } from "./formats/writeXlsx.ts";
import { instantFormat } from "./instantFormat.ts";
import { isDataFormat, parseExport, type DataFormat, type ParsedExport } from "./parseExport.ts";
import type { Fonts } from "./pictures/openFonts.ts";
import { writePdf } from "./pictures/writePdf.ts";
import { writePng } from "./pictures/writePng.ts";
import { itemOf, readDashboard, type RecordReaders } from "./readDashboard.ts";

export interface ExportOptions {
  readonly queries: Pick<Queries, "answer" | "table" | "write">;
  readonly readers: RecordReaders;
  readonly fonts: Fonts;
}

const mediaTypes: Readonly<Record<ParsedExport["format"], string>> = {
  csv: "text/csv; charset=utf-8",
  "csv-raw": "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "xlsx-raw": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  parquet: "application/vnd.apache.parquet",
  arrow: arrowType,
  json: jsonType,
  svg: "image/svg+xml",
  png: "image/png",
  base64: "text/plain; charset=us-ascii",
  pdf: "application/pdf",
};

/**
 * Makes the actions of `export` and `dataexport`: a query, or an item of a dashboard, as a file of rows; an item or a
 * whole dashboard as a picture. Rows come through the path of every query, with the caller's rights. An error before
 * the first byte is answered as any other; one after it ends the connection.
 */
export function exportHandlers(options: ExportOptions): {
  readonly export: ResourceHandlers;
  readonly dataexport: ResourceHandlers;
} {
  return {
    export: { create: (call) => create(call, options, false) },
    dataexport: { create: (call) => create(call, options, true) },
  };
}

async function create(
  call: ApiCall,
  options: ExportOptions,
  isData: boolean,
): Promise<WrittenAnswer> {
  const parsed = parseExport(call.body["properties"], isData);
  const { source, format } = parsed;
  if ("query" in source) return writeRows(source.query, parsed, format, call, options);
  const dashboard = await readDashboard(source.securableId, call, options.readers);
  const item = source.itemId === undefined ? undefined : itemOf(dashboard, source.itemId);
  const { localeId, timezoneId } = parsed;
  if (item && isDataFormat(format)) {
    const filters = filtersOf(dashboard, item);
    const asked = queryOf(item, {
      ...localized(localeId, timezoneId),
      where: filters.where,
      isWhole: true,
    });
    const having = filters.having.length > 0 && { having: filters.having };
    return writeRows({ ...asked?.query, ...having }, parsed, format, call, options);
  }
  const drawing: DrawOptions = {
    ...parsed,
    answer: async (query) => {
      const answers = await options.queries.answer(query, call.principal, call.signal);
      return [answers].flat()[0]?.data ?? [];
    },
  };
  return writePicture(parsed, await draw(item));

  async function draw(one: ChartItem | undefined) {
    if (!one) return drawDashboard(dashboard, drawing);
    const scene = await drawStored(dashboard, one, drawing);
    const { width, height, background, title } = scene;
    return { width, height, background, title, placed: [{ x: 0, y: 0, scene }] };
  }

  async function writePicture(
    { format, scale }: ParsedExport,
    page: Parameters<typeof writePage>[0],
  ): Promise<WrittenAnswer> {
    const [only] = page.placed;
    const svg = item && only ? writeSvg(only.scene) : writePage(page);
    if (format === "svg") return file(format, [svg]);
    const faces = await options.fonts.faces();
    if (format === "pdf") return file(format, [await writePdf(page, faces)]);
    const { width, height } = page;
    const png = await writePng(svg, { faces, width, height, scale });
    return file(format, [format === "base64" ? png.toString("base64") : png]);
  }
}

function localized(localeId: string | undefined, timezoneId: string | undefined) {
  return {
    ...(localeId !== undefined && { localeId }),
    ...(timezoneId !== undefined && { timezoneId }),
  };
}

/** Answers a query and writes its rows. */
async function writeRows(
  query: Readonly<Record<string, unknown>>,
  { localeId, timezoneId }: ParsedExport,
  format: ParsedExport["format"],
  { principal, signal }: ApiCall,
  { queries }: ExportOptions,
): Promise<WrittenAnswer> {
  const given = query["options"];
  const asked = {
    ...query,
    options: {
      ...(typeof given === "object" && given),
      ...(localeId !== undefined && { locale_id: localeId }),
      ...(timezoneId !== undefined && { timezone_id: timezoneId }),
    },
  };
  if (format === "json" || format === "arrow") {
    const { chunks } = await queries.write(
      asked,
      principal,
      signal,
      format === "json" ? jsonType : arrowType,
    );
    return file(format, chunks);
  }
  const table = await queries.table(asked, principal, signal);
  return file(format, rowsOf(table, isDataFormat(format) ? format : "csv", timezoneId ?? "UTC"));
}

function rowsOf(
  table: AnsweredTable,
  format: DataFormat,
  timezoneId: string,
): AsyncIterable<string | Uint8Array> {
  const isRaw = format.endsWith("-raw");
  const { wallClock, write } = instantFormat(timezoneId);
  switch (format) {
    case "parquet":
      return table.inSlices(writeParquet(table));
    case "xlsx":
    case "xlsx-raw":
      return writeXlsx(table, { isRaw, wallClock });
    default:
      return table.inSlices(writeCsv(table, { isRaw, writeInstant: write }));
  }
}

function file(
  format: ParsedExport["format"],
  chunks: AsyncIterable<string | Uint8Array> | readonly (string | Uint8Array)[],
): WrittenAnswer {
  const extension = format === "base64" ? "txt" : format.replace("-raw", "");
  return new WrittenAnswer(mediaTypes[format], each(chunks), {
    "Content-Disposition": `attachment; filename="export.${extension}"`,
  });
}

async function* each(
  chunks: AsyncIterable<string | Uint8Array> | readonly (string | Uint8Array)[],
): AsyncGenerator<string | Uint8Array> {
  yield* chunks;
}
