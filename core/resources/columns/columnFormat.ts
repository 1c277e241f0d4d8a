import type { DataType } from "../../../plugins/protocol/index.ts";

/** How a column is shown and read, in the words of the field. */
export interface ColumnFormat {
  readonly informat: string;
  /** A format of D3. */
  readonly format: string;
  /** The finest level of a datetime: 5 is the day, 9 the millisecond. */
  readonly lowestLevel: number;
}

/** The formats of a new column, whatever its dataset comes from. */
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
