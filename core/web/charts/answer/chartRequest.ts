import type { ChartTheme } from "../color/chartTheme.ts";
import type { Colors } from "../color/createColors.ts";
import type { ChartItem, SlotField } from "../item/item.ts";

/** A cell of an answer from the data service. */
export type ChartCell =
  | number
  | string
  | null
  | {
      readonly id: string;
      readonly name: Readonly<Record<string, string>>;
      readonly color?: string;
    };

/** Totals of a pivot table. Each row has a cell for each field of the item, with null where the total has no value. */
export interface PivotTotals {
  /** Totals over all columns: one row for each combination of values in the row slot. */
  readonly down: readonly (readonly ChartCell[])[];
  /** Totals over all rows: one row for each combination of values in the column slot. */
  readonly across: readonly (readonly ChartCell[])[];
  /** The total over all rows and columns, as a single row. */
  readonly grand: readonly (readonly ChartCell[])[];
  /** Totals of groups of rows or columns, if the table has several fields in a slot. */
  readonly subtotals?: readonly PivotSubtotals[];
}

/** The totals of a pivot table at one pair of levels. */
export interface PivotSubtotals {
  /** Number of fields of the row slot by which the totals are grouped, and of the column slot. */
  readonly rowDepth: number;
  readonly columnDepth: number;
  readonly rows: readonly (readonly ChartCell[])[];
}

/**
 * A number of rows and their measures: one cell per field, null for groups and for measures that cannot be combined.
 */
export interface CombinedRows {
  readonly count: number;
  readonly cells: readonly ChartCell[];
}

/** The groups or rows that an answer leaves out because a picture cannot show them, or because its item has a limit. */
export interface LeftOut {
  /** The slot whose values are cut; undefined if single rows are cut. */
  readonly slot?: string;
  /** Whether the answer has the last periods instead of the first rows. */
  readonly isNewest?: true;
  /** What is left out, as the host computed it; undefined if the host could not. */
  readonly all: CombinedRows | undefined;
  /** The part of `all` whose first measure is above 0, for kinds that draw only such values. */
  readonly positive?: CombinedRows | undefined;
}

/** The values of a legend, or the categories of slices, that a picture combines because there are too many of them. */
export interface Folded {
  /** Keys of the values that stay. */
  readonly kept: ReadonlySet<string>;
  /** Number of values that are combined. */
  readonly count: number;
  /**
   * The rows of all other values together, with null in place of the value. Undefined if only the host could compute
   * them, and did not.
   */
  readonly rows: readonly (readonly ChartCell[])[] | undefined;
}

/** What the host computed in addition to the rows of an answer, so that the picture shows or says the whole. */
export interface Beyond {
  /** Absent if the answer has all rows. */
  readonly leftOut?: LeftOut;
  /** Absent if the picture combines nothing, or can combine it itself. */
  readonly folded?: Folded;
  /** The measures over all rows with the item's filters: one cell per field, null for groups. */
  readonly whole?: readonly ChartCell[];
}

/** A part of a table that continues in other pictures, such as on the next page. */
export interface TablePart {
  /** Index of the first row of the part. */
  readonly from: number;
  /** Whether no other part follows. The last part counts the rows that do not fit. */
  readonly isLast: boolean;
}

/** The input of a picture: an item, its answer, and how to draw them. */
export interface ChartRequest extends Beyond {
  readonly item: ChartItem;
  /** The fields of a row's cells, in order: `queryOf(item).fields`. */
  readonly fields: readonly SlotField[];
  readonly rows: readonly (readonly ChartCell[])[];
  /** What the answer leaves out, as sentences. They stand below the picture. */
  readonly warnings?: readonly string[];
  /** The totals row of a table, with a cell for each field. See `totalsOf`. */
  readonly totals?: readonly ChartCell[];
  /** The totals of a pivot table. See `pivotTotalsOf`. */
  readonly pivotTotals?: PivotTotals;
  readonly theme: ChartTheme;
  /** The series colours. The items of a dashboard share them, so that a value has the same colour in every item. */
  readonly colors: Colors;
  readonly width: number;
  readonly height: number;
  readonly localeId: string;
  /** IANA time zone in which instants are shown. Dates without a time are never shifted. */
  readonly timezoneId: string;
  /** The current time. If present, the last period of a time axis is marked if it has not ended. */
  readonly nowMs?: number;
  /** The values that are selected in a filter item. */
  readonly selected?: readonly string[];
  /**
   * Ids of the series that the reader switched off in the legend. Their names keep their position and colour in the
   * legend.
   */
  readonly hiddenSeries?: ReadonlySet<string>;
  /** The filters that a reader chose, as text. They stand below the title of the picture. */
  readonly filters?: readonly string[];
  /** The part of a table that the picture shows, if the table continues in other pictures. */
  readonly tablePart?: TablePart;
  /** Why the item could not be loaded; shown in place of its rows. */
  readonly failure?: string;
}
