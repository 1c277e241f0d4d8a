const loads: Readonly<Record<string, string>> = {
  full: "All rows every time",
  delta: "Only new and changed rows",
  "full-delta": "New and changed rows, and all rows once a day",
};
const states: Readonly<Record<string, string>> = {
  waiting: "waiting",
  copying: "copying",
  ready: "ready",
  failed: "failed",
};
const actions: Readonly<Record<string, string>> = {
  create: "created",
  update: "changed",
  delete: "deleted",
  associate: "shared or linked",
  dissociate: "stopped sharing or linking",
};
const members: Readonly<Record<string, string>> = {
  name: "name",
  description: "description",
  contents: "charts",
  custom_metadata: "metadata",
  file_settings: "settings of the file",
  source_sheet: "table",
  account_id: "connection",
  meta_sync_interval: "synchronization",
};

/** The words in English. */
export const words = {
  storedTitle: "Stored on this host",
  storedText: "Its rows were uploaded or pushed, so there is no source to synchronize with.",
  synchronization: "Synchronization",
  connection: "Connection",
  table: "Table",
  statement: "an SQL statement",
  lastSync: "Last synchronized",
  lastAttempt: "Last attempt",
  byConnection: "Columns are synchronized with the source on the schedule of the connection",
  byItself: (hours: string): string =>
    `Columns are synchronized with the source every ${hours} hours`,
  synchronizeNow: "Synchronize now",
  unchanged: "The columns have not changed.",
  notSynced: (reason: string): string => `Synchronization failed: ${reason}`,
  changes: {
    added: (count: string): string => `${count} added`,
    missing: (count: string): string => `${count} missing`,
    returned: (count: string): string => `${count} returned`,
    retyped: (count: string): string => `${count} with a new type`,
  },
  acceleration: "Acceleration",
  accelerationText:
    "Every query goes to the source. A copy in the store answers within milliseconds.",
  start: "Copy rows into the store",
  startText: "Queries use the copy once it is complete. Rights and row filters stay the same.",
  stop: "Delete the copy",
  stopText: "Queries go to the source again. The copy and its schedule will be deleted.",
  load: "Each run copies",
  loads,
  states,
  deltaColumn: "Column with the time of the last change",
  every: "Copy every",
  unit: "Unit",
  units: { minute: "minutes", hour: "hours", day: "days", week: "weeks", month: "months" },
  rows: "Rows",
  size: "Size",
  asOf: "Rows as of",
  fullAt: "Last full copy",
  next: "Next copy",
  copied: (rows: string, share: number | null): string =>
    share === null
      ? `${rows} rows copied so far`
      : `${rows} rows copied so far, about ${Math.floor(share * 100)}%`,
  history: "Changes",
  actions,
  members,
};

/** The words of this table in one language. */
export type SourceWords = typeof words;
