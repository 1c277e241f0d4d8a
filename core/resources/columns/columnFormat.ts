import type { DataType } from "../../../plugins/protocol/index.ts";

/** How a column is displayed and parsed, in the form of the API. */
export interface ColumnFormat {
  readonly informat: string;
  /** The number or date format, in D3 syntax. */
  readonly format: string;
  /** The finest level of a datetime column: 5 is day, 9 is millisecond. */
  readonly lowestLevel: number;
}

/** Returns the default format of a new column. */
export function columnFormat(type: DataType, subtype?: string | null): ColumnFormat {
  switch (type) {
    case "numeric":
      return { informat: "numeric", format: ",.2f", lowestLevel: 0 };
    case "hierarchy":
      return { informat: "hierarchy", format: "", lowestLevel: 0 };
    case "datetime":
      return subtype === "date"
        ? { informat: "YYYY-MM-DD", format: "%d-%m-%Y", lowestLevel: 5 }
        : { informat: "YYYY-MM-DD HH:mm:ss.SSS", format: "%d-%m-%Y %H:%M:%S", lowestLevel: 9 };
  }
}
