import { ApiError, isObject, isUuid, type Members, type Principal } from "../base/index.ts";
import { chosenMembers, parseChosen, type ChosenParts } from "./parseChosen.ts";
import { orientations, paperForms, type WantedPaper } from "./paper.ts";
import { exportFormats, formatNames, isDataFormat, type ExportFormat } from "./exportFormats.ts";
import { parseLocale, parseTimezone } from "../queries/index.ts";

/**
 * The properties of an export request, after validation. `width` and `height` are in pixels. `scale` multiplies the
 * pixels of a PNG.
 */
export interface ParsedExport {
  readonly format: ExportFormat;
  /** The source of the file: a query of the data service, a dashboard, or an item of a dashboard. */
  readonly source:
    | { readonly query: Readonly<Record<string, unknown>> }
    | {
        readonly securableId: string;
        readonly itemId: string | undefined;
        readonly chosen: ChosenParts;
      };
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  /** The paper of a PDF; undefined for a single page that is as large as the picture. */
  readonly paper: WantedPaper | undefined;
  /** Width in pixels of a dashboard on a page; undefined for the usual width. */
  readonly pageWidth: number | undefined;
  /**
   * How a CSV file separates cells and writes decimals: `standard` uses a comma and a point, and `locale` the signs of
   * the file's language.
   */
  readonly csvDialect: "standard" | "locale";
  readonly theme: "light" | "dark" | undefined;
  readonly localeId: string | undefined;
  readonly timezoneId: string | undefined;
  /**
   * `file`: the answer is the file. `link`: a job writes the file. Absent: a small export is answered with the file,
   * and a job writes a large one.
   */
  readonly deliver: "file" | "link" | undefined;
}

const members = [
  "type",
  "query",
  "securable_id",
  "item_id",
  ...chosenMembers,
  "width",
  "height",
  "scale",
  "paper",
  "orientation",
  "csv_dialect",
  "theme",
  "locale_id",
  "timezone_id",
  "deliver",
];

type GivenMember = "locale_id" | "timezone_id" | "paper" | "orientation" | "width" | "csv_dialect";

/**
 * Parses the properties of an export request. A picture without a size gets the size that the caller's token sets, and
 * otherwise 900 × 420 pixels.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, MEMBER_UNKNOWN
 */
export function parseExport(
  given: unknown,
  isData: boolean,
  { restriction }: Pick<Principal, "restriction">,
): ParsedExport {
  if (!isObject<GivenMember>(given))
    throw new ApiError("MEMBER_MISSING", [
      "properties",
      `an object with some of the members ${members.join(", ")}`,
    ]);
  for (const member of Object.keys(given))
    if (!members.includes(member))
      throw new ApiError("MEMBER_UNKNOWN", [
        `properties.${member.slice(0, 100)}`,
        members.join(", "),
      ]);
  const allowed = isData ? formatNames.filter(isDataFormat) : formatNames;
  const { type = "csv", query, securable_id: securableId, theme } = given;
  const format = allowed.find((each) => each === type);
  if (!format)
    throw new ApiError("MEMBER_INVALID", [
      "properties.type",
      `must be one of ${allowed.join(", ")}`,
    ]);
  if ((query === undefined) === (securableId === undefined))
    throw new ApiError("MEMBER_MISSING", [
      "properties.query",
      "send either query or the securable_id of a dashboard",
    ]);
  if (theme !== undefined && theme !== "light" && theme !== "dark")
    throw new ApiError("MEMBER_INVALID", ["properties.theme", "must be light or dark"]);
  const { deliver, csv_dialect: csvDialect = "standard" } = given;
  if (csvDialect !== "standard" && csvDialect !== "locale")
    throw new ApiError("MEMBER_INVALID", ["properties.csv_dialect", "must be standard or locale"]);
  const localeId = parseLocale(given.locale_id, "properties.locale_id");
  if (deliver !== undefined && deliver !== "file" && deliver !== "link")
    throw new ApiError("MEMBER_INVALID", ["properties.deliver", "must be file or link"]);
  return {
    format,
    source: sourceOf(given, format),
    width: sizeOf(given, "width", pixelsOf(restriction?.width) ?? 900),
    height: sizeOf(given, "height", pixelsOf(restriction?.height) ?? 420),
    scale: sizeOf(given, "scale", 2, 4),
    ...paperOf(given),
    csvDialect,
    theme,
    localeId,
    timezoneId: zoneOf(given.timezone_id),
    deliver,
  };
}

/**
 * Returns the time zone of a request; undefined if the request names none. UTC counts as named, because an
 * explicit zone takes precedence over the token's zone.
 */
function zoneOf(value: unknown): string | undefined {
  const zone = parseTimezone(value, "properties.timezone_id");
  return zone ?? (value ? "UTC" : undefined);
}

/**
 * Returns the paper of a PDF. An item with a size of its own gets a page of that size, and everything else gets paper.
 * `width` sets how many pixels of a dashboard fit the width of a page.
 */
function paperOf(
  given: Members<"paper" | "orientation" | "width" | "height" | "item_id">,
): Pick<ParsedExport, "paper" | "pageWidth"> {
  const { paper, orientation = "portrait", width, height, item_id: itemId } = given;
  const turned = orientations.find((each) => each === orientation);
  if (!turned)
    throw new ApiError("MEMBER_INVALID", [
      "properties.orientation",
      `must be one of ${orientations.join(", ")}`,
    ]);
  const known = paperForms.find((each) => each === paper);
  if (paper !== undefined && !known)
    throw new ApiError("MEMBER_INVALID", [
      "properties.paper",
      `must be one of ${paperForms.join(", ")}`,
    ]);
  const hasOwnSize = itemId !== undefined && (width !== undefined || height !== undefined);
  const form = known ?? (hasOwnSize ? "fit" : undefined);
  return {
    paper: form === "fit" ? undefined : { name: form, orientation: turned },
    pageWidth: typeof width === "number" ? width : undefined,
  };
}

function sourceOf(given: Members, format: ExportFormat): ParsedExport["source"] {
  const { query, securable_id: securableId, item_id: itemId } = given;
  if (query !== undefined) {
    for (const member of chosenMembers)
      if (given[member] !== undefined)
        throw new ApiError("MEMBER_INVALID", [
          `properties.${member}`,
          "is only for dashboards and their items; a query contains its own filters",
        ]);
    if (!isObject(query))
      throw new ApiError("MEMBER_INVALID", [
        "properties.query",
        "must be a query of the data service",
      ]);
    if (!isDataFormat(format))
      throw new ApiError("MEMBER_INVALID", [
        "properties.type",
        "a query has rows but no picture; send securable_id and item_id instead",
      ]);
    return { query };
  }
  if (typeof securableId !== "string" || !isUuid(securableId))
    throw new ApiError("MEMBER_INVALID", [
      "properties.securable_id",
      "must be the id of a dashboard",
    ]);
  if (itemId !== undefined && typeof itemId !== "string")
    throw new ApiError("MEMBER_INVALID", [
      "properties.item_id",
      "must be the id of an item of the dashboard",
    ]);
  if (itemId === undefined && !exportFormats[format].showsDashboards)
    throw new ApiError("MEMBER_MISSING", [
      "properties.item_id",
      `a whole dashboard can be exported as ${formatNames.filter((each) => exportFormats[each].showsDashboards).join(", ")}; for rows, set item_id`,
    ]);
  return { securableId, itemId, chosen: parseChosen(given) };
}

/** The largest width and height of a picture. */
const mostPixels = 4_000;

/** Returns a size from a token, which is not checked when the token is created, as a size that a picture can have. */
const pixelsOf = (size: number | undefined): number | undefined =>
  size === undefined || Number.isNaN(size)
    ? undefined
    : Math.min(mostPixels, Math.max(1, Math.round(size)));

function sizeOf(
  given: Readonly<Record<string, unknown>>,
  member: string,
  usual: number,
  most = mostPixels,
): number {
  const { [member]: value = usual } = given;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most)
    return value;
  throw new ApiError("MEMBER_INVALID", [
    `properties.${member}`,
    `must be a whole number from 1 to ${most}`,
  ]);
}
