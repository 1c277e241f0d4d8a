import { chooseWords } from "../../language/index.ts";

const loads: Readonly<Record<string, string>> = {
  full: "All rows each time",
  delta: "New and changed rows",
  "full-delta": "All rows first, then new ones",
};
const states: Readonly<Record<string, string>> = {
  waiting: "waits",
  copying: "copies",
  ready: "ready",
  failed: "failed",
};

/** The words of the source of a dataset. */
export const sourceWords = chooseWords({
  en: {
    storedTitle: "Stored on this host",
    storedText: "Its rows were uploaded or pushed. There is no source to follow.",
    synchronization: "Synchronization",
    connection: "Connection",
    table: "Table",
    statement: "a statement",
    lastSync: "Last synchronized",
    lastAttempt: "Last attempt",
    byConnection: "Columns follow the source, as often as its connection says",
    byItself: (hours: string): string => `Columns follow the source every ${hours} hours`,
    synchronizeNow: "Synchronize now",
    unchanged: "The columns are as they were.",
    notSynced: (reason: string): string => `Not synchronized: ${reason}`,
    changes: {
      added: (count: string): string => `${count} added`,
      missing: (count: string): string => `${count} missing`,
      returned: (count: string): string => `${count} returned`,
      retyped: (count: string): string => `${count} of another type`,
    },
    acceleration: "Acceleration",
    accelerationText:
      "Each question asks the source. A copy in the store answers within milliseconds.",
    start: "Copy rows into the store",
    startText:
      "Questions go to the copy once it is whole. Rights and filters on rows stay as they are.",
    stop: "Delete the copy",
    stopText: "Questions ask the source again. The copy and its schedule are deleted.",
    load: "Each copy has",
    loads,
    states,
    deltaColumn: "Column with the time of a new row",
    every: "Copy every",
    unit: "Unit",
    units: { minute: "minutes", hour: "hours", day: "days", week: "weeks", month: "months" },
    rows: "Rows",
    size: "Size",
    asOf: "Rows as of",
    fullAt: "Last whole copy",
    next: "Next copy",
    copied: (rows: string): string => `${rows} rows copied so far`,
    history: "Changes",
  },
});
