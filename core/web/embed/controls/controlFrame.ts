import type {
  ChartCell,
  ChartColumn,
  ChartItem,
  ChartTheme,
  SlotField,
} from "../../charts/index.ts";
import { filteredColumn } from "../selections/index.ts";

/** Everything that a control shows: the filter item, its values, and the reader's language and time zone. */
export interface FilterPicture {
  readonly item: ChartItem;
  readonly theme: ChartTheme;
  readonly localeId: string;
  readonly timezoneId: string;
  /** Rows of the answer to `optionsQueryOf`. Absent while the rows load, and for controls without a query. */
  readonly rows?: readonly (readonly ChartCell[])[];
  readonly failure?: string;
}

/** The reader's entries in a control. They are kept when the control is drawn again. */
export interface ControlState {
  readonly chosen: Map<string, ChartCell>;
  typed: string;
  /** Both ends of a range as typed; an empty string for an open end. */
  readonly ends: [from: string, to: string];
}

/** Everything that the draw function of a control uses. */
export interface ControlFrame {
  readonly picture: FilterPicture;
  readonly field: SlotField;
  readonly column: ChartColumn;
  /** The title. Screen readers use it as the name of the control. */
  readonly name: string;
  readonly draft: ControlState;
  /** Filters the other items by the given conditions. An empty list removes the filter. */
  change(where: readonly object[], label: string): void;
  /** Runs a function after a pause, unless another change comes first. */
  later(pauseMs: number, run: () => void): void;
}

/** Filters the other items by the values chosen in a list. */
export function changeList({ draft: { chosen }, field, column, change }: ControlFrame): void {
  if (chosen.size === 0) return change([], "");
  const cells = [...chosen.values()];
  const values = cells.map((cell) => (typeof cell === "object" && cell !== null ? cell.id : cell));
  const names = cells.map((cell) => column.text(cell));
  const rest = names.length - 3;
  change(
    [{ expression: "? in ?", parameters: [filteredColumn(field), values] }],
    `${names.slice(0, 3).join("; ")}${rest > 0 ? ` + ${rest}` : ""}`,
  );
}
