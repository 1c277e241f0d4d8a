import { readColumns, type ChartCell } from "../../charts/index.ts";
import { readerLocale, readerZone } from "../language/index.ts";

/** What decides how the values of a column are written. */
export interface WrittenColumn {
  readonly type: string | null;
  readonly subtype: string | null;
  readonly format: string | null;
}

/** Returns the function that formats a value in its column's format, as charts do; "" for a missing value. */
export function cellWriter({ type, subtype, format }: WrittenColumn): (value: unknown) => string {
  const [reader] = readColumns({
    fields: [
      {
        slot: "",
        type: type === "numeric" || type === "datetime" ? type : "hierarchy",
        ...(subtype !== null && { subtype }),
        ...(format && { format }),
      },
    ],
    localeId: readerLocale,
    timezoneId: readerZone,
  });
  const isCell = (value: unknown): value is ChartCell =>
    typeof value === "number" || typeof value === "string";
  return (value) => (reader && isCell(value) ? reader.text(value) : "");
}
