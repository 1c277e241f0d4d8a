import type { DataType } from "../../../plugins/protocol/index.ts";

/** How a column is displayed and parsed, in the form of the API. */
export interface ColumnFormat {
  readonly informat: string;
  /** The number or date format, in D3 syntax. */
  readonly format: string;
  /** The finest level of a datetime column: 5 is day, 9 is millisecond. */
  readonly lowestLevel: number;
}

/** Names of columns that contain years, in lower case. */
const yearNames =
  /^(?:(?:fiscal|calendar|model)[ _-]?)?(?:year|yr|jahr|jaar|année|annee|año|ano|anno)$/;

/**
 * Returns the default format of a new column. Numbers have at most two decimals, and whole numbers have none, whatever
 * is stored later. Numbers of a column with the name of years have no separators, because 2,024 is not a year.
 */
export function columnFormat(type: DataType, subtype?: string | null, name = ""): ColumnFormat {
  switch (type) {
    case "numeric": {
      const format = yearNames.test(name.trim().toLowerCase()) ? ".2~f" : ",.2~f";
      return { informat: "numeric", format, lowestLevel: 0 };
    }
    case "hierarchy":
      return { informat: "hierarchy", format: "", lowestLevel: 0 };
    case "datetime":
      return subtype === "date"
        ? { informat: "YYYY-MM-DD", format: "%d-%m-%Y", lowestLevel: 5 }
        : { informat: "YYYY-MM-DD HH:mm:ss.SSS", format: "%d-%m-%Y %H:%M:%S", lowestLevel: 9 };
  }
}
