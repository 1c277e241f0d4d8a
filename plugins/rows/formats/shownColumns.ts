import { remediesOf } from "../remedy.ts";
import { remark, type FileNote } from "./fileNote.ts";
import type { NumberSubtype } from "./fileTable.ts";
import type { SheetRow } from "./readSheet.ts";

/** Collects how the cells of each column of a sheet are shown. */
export interface ShownColumns {
  /** Adds a row whose first column has the index `start` in the sheet. */
  add(row: SheetRow, start: number): void;
  /** Returns the subtypes of the columns. Undefined unless all numbers of a column have the same format. */
  subtypes(): readonly (NumberSubtype | undefined)[];
  /** Returns remarks about values that differ from what the workbook shows. */
  notes(): readonly FileNote[];
}

interface ColumnState {
  numberCount: number;
  currencyCount: number;
  durationCount: number;
  /** The first row with a number that is not a duration. */
  plainRow?: number;
  paddedRow?: number;
  longRow?: number;
  /** The first row with an error such as #DIV/0!, and the error. */
  error?: Found;
  /** The first row with the format of a date whose number is not a date, and what it shows. */
  missingDay?: Found;
  /** The first row with a time of day that contains a day as well, and its value. */
  dayInTime?: Found;
}

interface Found {
  readonly row: number;
  readonly text: string;
}

const mostNotes = 10;

/** Creates the collector for columns with the given names. */
export function createShownColumns(names: readonly string[]): ShownColumns {
  let hiddenCount = 0;
  let firstHidden = 0;
  const states = names.map((): ColumnState => ({
    numberCount: 0,
    currencyCount: 0,
    durationCount: 0,
  }));
  const notesOf = (name: string, state: ColumnState): readonly FileNote[] => {
    const { durationCount, plainRow, paddedRow, longRow, error, missingDay, dayInTime } = state;
    const own: FileNote[] = [];
    const say = (message: string) => void own.push(remark(message));
    if (durationCount > 0) {
      const mixed = plainRow === undefined ? "" : `, but row ${plainRow} contains a plain number`;
      say(`cells that show elapsed time are read as hours${mixed}`);
    }
    if (paddedRow !== undefined)
      say(
        `row ${paddedRow} shows leading zeros, but contains a number; to keep the zeros, store the column as text in the workbook`,
      );
    if (longRow !== undefined)
      own.push({
        kind: "doubt",
        message: `it is text, because row ${longRow} contains a whole number beyond 2^53`,
      });
    for (const found of [error, missingDay])
      if (found)
        own.push({
          kind: "remark",
          message:
            `row ${found.row} contains ${found === error ? "the error" : "the missing date"} ${found.text}; ` +
            `to read it as null, add ${found.text} to nulls`,
          remedies: remediesOf("nulls", [[found.text]]),
        });
    if (dayInTime)
      say(
        `row ${dayInTime.row} shows a time of day, but contains ${dayInTime.text}; it is read as a datetime`,
      );
    return own.map((note) => ({ ...note, column: name }));
  };
  return {
    add({ number, cells, shown, isHidden }, start) {
      if (isHidden) {
        firstHidden ||= number;
        hiddenCount++;
      }
      for (const [index, value] of cells) {
        const state = states[index - start];
        if (!state) continue;
        const format = shown.get(index);
        if (format === "time" && value instanceof Date)
          state.dayInTime ??= { row: number, text: value.toISOString().slice(0, 19) };
        if (typeof value === "string" && format === "error")
          state.error ??= { row: number, text: value.slice(0, 40) };
        if (typeof value === "string" && (format === "date" || format === "datetime"))
          state.missingDay ??= { row: number, text: value };
        if (typeof value === "bigint") state.longRow ??= number;
        if (typeof value !== "number") continue;
        state.numberCount++;
        if (format === "currency") state.currencyCount++;
        if (format === "padded") state.paddedRow ??= number;
        if (format === "duration") state.durationCount++;
        else state.plainRow ??= number;
      }
    },
    subtypes: () =>
      states.map(({ numberCount, currencyCount, durationCount }) => {
        if (numberCount === 0) return undefined;
        if (durationCount === numberCount) return "duration";
        return currencyCount === numberCount ? "currency" : undefined;
      }),
    notes() {
      const notes = states.flatMap((state, index) => notesOf(names[index]!, state));
      const restCount = notes.length - mostNotes;
      const rest =
        restCount > 0
          ? [remark(`${restCount} more columns are read differently from what they show`)]
          : [];
      const what = hiddenCount === 1 ? "is hidden" : `and ${hiddenCount - 1} more are hidden`;
      const hidden =
        hiddenCount > 0
          ? [remark(`row ${firstHidden} ${what} in the workbook, but read like other rows`)]
          : [];
      return [...hidden, ...notes.slice(0, mostNotes), ...rest];
    },
  };
}
