import type {
  SlotField,
  ControlValue,
  ListCell,
  ChartTheme,
  ChartColumn,
  ChartCell,
  ChartItem,
} from "../../charts/index.ts";

/** Everything that a control shows: the filter item, its values, and the reader's language and time zone. */
export interface FilterPicture {
  readonly item: ChartItem;
  readonly theme: ChartTheme;
  readonly localeId: string;
  readonly timezoneId: string;
  /** What the reader chose; undefined if the control filters nothing. */
  readonly value: ControlValue | undefined;
  /** Rows of the answer to `optionsQueryOf`. Absent while the rows load, and for controls without a query. */
  readonly rows?: readonly (readonly ChartCell[])[];
  readonly failure?: string;
  /** Filters of the values that a list offers: those of the dashboard and of the other items. */
  readonly where: readonly unknown[];
  /** Runs a query of the control on the host. Rejects if `signal` is aborted. */
  query(find: object, signal: AbortSignal): Promise<readonly (readonly ChartCell[])[]>;
}

/** Entries of the reader that do not filter yet, or that filters do not contain. They are kept between drawings. */
export interface ControlState {
  /** The text in the search box of a list. */
  typed: string;
  /** Values that the control has offered, by key. Their names are shown while a list shows other values. */
  readonly cells: Map<string, ChartCell>;
}

/** Everything that the draw function of a control uses. */
export interface ControlFrame {
  readonly picture: FilterPicture;
  readonly field: SlotField;
  readonly column: ChartColumn;
  /** The title. Screen readers use it as the name of the control. */
  readonly name: string;
  readonly draft: ControlState;
  /** What the control shows as chosen, even if the reader has not applied it yet. */
  value(): ControlValue | undefined;
  /** Filters the other items by a value; undefined removes the filter. */
  change(value: ControlValue | undefined): void;
  /** Runs a function after a pause, unless another call comes first. */
  later(pauseMs: number, run: () => void): void;
  /** Ends with this drawing of the control. */
  readonly signal: AbortSignal;
}

/** Returns the value that filters contain for a cell. */
export function valueOf(cell: ChartCell): ListCell {
  return typeof cell === "object" && cell !== null ? cell.id : cell;
}

/** Returns the values chosen in a list. */
export function chosenValues(frame: Pick<ControlFrame, "value">): readonly ListCell[] {
  const value = frame.value();
  return value !== undefined && "values" in value ? value.values : [];
}
