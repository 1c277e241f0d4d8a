/** The signs of a CSV file: between cells, and before the decimals of numbers. */
export interface CsvSigns {
  readonly separator: "," | ";";
  readonly decimal: string;
}

/** The signs of RFC 4180, and of numbers in most programming languages. */
export const standardSigns: CsvSigns = { separator: ",", decimal: "." };

/**
 * Returns the signs with which spreadsheets in a language read CSV: its decimal mark, and semicolons where that mark is
 * a comma.
 */
export function csvSignsOf(localeId: string): CsvSigns {
  const parts = new Intl.NumberFormat(localeId).formatToParts(0.5);
  const decimal = parts.find(({ type }) => type === "decimal")?.value ?? ".";
  // Spreadsheets read numbers with an Arabic mark only if their digits are Arabic too.
  return decimal === "," ? { separator: ";", decimal } : standardSigns;
}
