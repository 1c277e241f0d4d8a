import { ApiError, isObject, isUuid } from "../base/index.ts";
import { exportFormats, formatNames, isDataFormat, type ExportFormat } from "./exportFormats.ts";
import { parseLocale, parseTimezone } from "../queries/index.ts";

/** The wanted file, checked. */
export interface ParsedExport {
  readonly format: ExportFormat;
  /** A query of the data service; or the dashboard, or item of one, that is exported. */
  readonly source:
    | { readonly query: Readonly<Record<string, unknown>> }
    | { readonly securableId: string; readonly itemId: string | undefined };
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly theme: "light" | "dark" | undefined;
  readonly localeId: string | undefined;
  readonly timezoneId: string | undefined;
  /** `file`: the answer is the file. `link`: a job writes it. Absent: a file up to a size, a link above it. */
  readonly deliver: "file" | "link" | undefined;
}

const members =
  "type, query, securable_id, item_id, width, height, scale, theme, locale_id, timezone_id, deliver";

/**
 * Reads the properties of an export.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, MEMBER_UNKNOWN
 */
export function parseExport(given: unknown, isData: boolean): ParsedExport {
  if (!isObject<"locale_id" | "timezone_id">(given))
    throw new ApiError("MEMBER_MISSING", ["properties", `an object of ${members}`]);
  for (const member of Object.keys(given))
    if (!members.split(", ").includes(member))
      throw new ApiError("MEMBER_UNKNOWN", [`properties.${member.slice(0, 100)}`, members]);
  const allowed = isData ? formatNames.filter(isDataFormat) : formatNames;
  const { type = "csv", query, securable_id: securableId, item_id: itemId, theme } = given;
  const format = allowed.find((each) => each === type);
  if (!format)
    throw new ApiError("MEMBER_INVALID", ["properties.type", `give one of ${allowed.join(", ")}`]);
  if ((query === undefined) === (securableId === undefined))
    throw new ApiError("MEMBER_MISSING", [
      "properties.query",
      "give a query, or securable_id of a dashboard; one of them",
    ]);
  if (theme !== undefined && theme !== "light" && theme !== "dark")
    throw new ApiError("MEMBER_INVALID", ["properties.theme", "give light or dark"]);
  const { deliver } = given;
  if (deliver !== undefined && deliver !== "file" && deliver !== "link")
    throw new ApiError("MEMBER_INVALID", ["properties.deliver", "give file or link"]);
  return {
    format,
    source: sourceOf(query, securableId, itemId, format),
    width: sizeOf(given, "width", 900),
    height: sizeOf(given, "height", 420),
    scale: sizeOf(given, "scale", 2, 4),
    theme,
    localeId: parseLocale(given.locale_id, "properties.locale_id"),
    timezoneId: zoneOf(given.timezone_id),
    deliver,
  };
}

/** UTC that is asked for is a zone too: it comes before the zone of a token. */
function zoneOf(value: unknown): string | undefined {
  const zone = parseTimezone(value, "properties.timezone_id");
  return zone ?? (value ? "UTC" : undefined);
}

function sourceOf(
  query: unknown,
  securableId: unknown,
  itemId: unknown,
  format: ExportFormat,
): ParsedExport["source"] {
  if (query !== undefined) {
    if (!isObject(query))
      throw new ApiError("MEMBER_INVALID", [
        "properties.query",
        "give a query of the data service",
      ]);
    if (!isDataFormat(format))
      throw new ApiError("MEMBER_INVALID", [
        "properties.type",
        "a query has rows, and no picture; give securable_id and item_id",
      ]);
    return { query };
  }
  if (typeof securableId !== "string" || !isUuid(securableId))
    throw new ApiError("MEMBER_INVALID", ["properties.securable_id", "give the id of a dashboard"]);
  if (itemId !== undefined && typeof itemId !== "string")
    throw new ApiError("MEMBER_INVALID", [
      "properties.item_id",
      "give the id of an item of the dashboard",
    ]);
  if (itemId === undefined && !exportFormats[format].showsDashboards)
    throw new ApiError("MEMBER_MISSING", [
      "properties.item_id",
      `a whole dashboard is exported as ${formatNames.filter((each) => exportFormats[each].showsDashboards).join(", ")}; name an item for its rows`,
    ]);
  return { securableId, itemId };
}

function sizeOf(
  given: Readonly<Record<string, unknown>>,
  member: string,
  usual: number,
  most = 4_000,
): number {
  const { [member]: value = usual } = given;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most)
    return value;
  throw new ApiError("MEMBER_INVALID", [
    `properties.${member}`,
    `give a whole number from 1 to ${most}`,
  ]);
}
