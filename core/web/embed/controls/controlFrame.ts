import type {
  ChartCell,
  ChartColumn,
  ChartItem,
  ChartTheme,
  SlotField,
} from "../../charts/index.ts";
import { filteredColumn } from "../selections/index.ts";

/** All that a control shows. */
export interface FilterPicture {
  readonly item: ChartItem;
  readonly theme: ChartTheme;
  readonly localeId: string;
  readonly timezoneId: string;
  /** Rows of the question of `optionsQueryOf`; none while they load, and for controls that ask nothing. */
  readonly rows?: readonly (readonly ChartCell[])[];
  readonly failure?: string;
}

/** The entries of the reader in a control; they stay when it is drawn anew. */
export interface Draft {
  readonly chosen: Map<string, ChartCell>;
  typed: string;
  /** Both ends of a range, as they were typed; empty for an open end. */
  readonly ends: [from: string, to: string];
}

/** The frame in which a form draws its control. */
export interface ControlFrame {
  readonly picture: FilterPicture;
  readonly field: SlotField;
  readonly column: ChartColumn;
  /** The title, which says to screen readers what the control is for. */
  readonly name: string;
  readonly draft: Draft;
  /** Filters by conditions; none take the filter away. */
  change(where: readonly object[], label: string): void;
  /** Does something after a pause, unless something else comes before. */
  later(pauseMs: number, run: () => void): void;
}

/** Filters by the values that are chosen in a list. */
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
