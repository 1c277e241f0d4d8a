import { datetimeFormat } from "../format/datetimeFormats.ts";
import { numberFormat, type NumberStyle } from "../format/numberFormats.ts";
import { wallClock } from "../format/wallClock.ts";
import { fillIn } from "../words/templates.ts";
import { wordsOf } from "../words/wordsOf.ts";
import type { SlotField } from "../item/item.ts";
import { textIn } from "../item/textIn.ts";
import { cleanText } from "../text/cleanText.ts";
import type { ChartColumn } from "./chartColumn.ts";
import type { ChartRequest } from "./chartRequest.ts";
import { binRange } from "./binRange.ts";
import { keyOfCell } from "./keyOfCell.ts";

/** Aggregates that return a number for columns of any type. */
const counting = ["count", "distinctcount", "rate"];

/** Returns the columns of an answer, in the order of its cells. */
export function readColumns({
  fields,
  localeId,
  timezoneId,
}: Pick<ChartRequest, "fields" | "localeId" | "timezoneId">): ChartColumn[] {
  return fields.map((field) => readColumn(field, localeId, timezoneId));
}

function readColumn(field: SlotField, localeId: string, timezoneId: string): ChartColumn {
  const { aggregation = "", bins } = field;
  const isCount = counting.includes(aggregation);
  const isNumeric = isCount || (field.type === "numeric" && bins === undefined);
  const isDatetime = field.type === "datetime" && !isCount;
  const writeNumber = numberFormat(styleOf(field, isCount), localeId);
  const writeDatetime = datetimeFormat(field, localeId);
  const isDate = field.subtype === "date";
  const words = wordsOf(localeId);
  /** Returns the string as people see it. Strings without a visible character get a name. */
  const seen = (written: string) =>
    written === "" ? words.emptyText : written.trim() === "" ? words.spaces : written;
  const name =
    textIn(field.label, localeId) || (field.formula ? cleanText(field.formula) : "") || "?";
  const { calculation } = field;
  const column: ChartColumn = {
    field,
    name: calculation ? fillIn(words.calculated[calculation.type], { name }) : name,
    isNumeric,
    isDatetime,
    number: (cell) => (typeof cell === "number" && Number.isFinite(cell) ? cell : null),
    wallMs(cell) {
      if (!isDatetime || typeof cell !== "string") return null;
      const instantMs = Date.parse(cell);
      if (Number.isNaN(instantMs)) return null;
      return isDate ? instantMs : wallClock(instantMs, timezoneId);
    },
    text(cell) {
      if (cell === null || cell === undefined) return isNumeric ? "–" : words.none;
      if (typeof cell === "number") return writeNumber(cell);
      const range = bins === undefined ? undefined : binRange(cell);
      if (range) return range.map(writeNumber).join(" – ");
      if (typeof cell === "object") return seen(textIn(cell.name, localeId) || cleanText(cell.id));
      const wallMs = column.wallMs(cell);
      return wallMs === null ? seen(cleanText(cell)) : cleanText(writeDatetime(wallMs));
    },
    key: keyOfCell,
    color: (cell) => (typeof cell === "object" && cell !== null ? cell.color : undefined),
  };
  return column;
}

/** Returns the number style of a measure: shares and relative changes are percentages, and ranks are integers. */
function styleOf(field: SlotField, isCount: boolean): NumberStyle {
  const type = field.calculation?.type;
  if (type === "share_of_total" || type === "percentage_change") return { format: ".1%" };
  if (type === "rank") return { format: ",.0f" };
  return isCount ? countStyle(field) : field;
}

/**
 * Returns the number style of a counting aggregate. Counts are formatted as integers, even if the counted column has
 * another format.
 */
function countStyle({ aggregation, format }: SlotField) {
  return { format: aggregation === "rate" ? format : ",.0f" };
}
