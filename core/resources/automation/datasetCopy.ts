import Type from "typebox";
import { limitedRows } from "../rights/limitedRows.ts";
import {
  type Declaration,
  choice,
  identity,
  instant,
  list,
  number,
  text,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { securable } from "../securables/securable.ts";

const fields = {
  ...identity,
  securable_id: uuid({ nullable: false }),
  /** `failed` means that the last load failed; queries still use an earlier copy. */
  status: choice(["waiting", "copying", "ready", "failed"], {
    nullable: false,
    default: "waiting",
  }),
  /** The dataset of the store that queries are sent to. */
  copy_id: { ...uuid(), hidden: true },
  /** The dataset of the store that a running load fills. */
  building_id: { ...uuid(), hidden: true },
  /** The columns of the copy: `{id, type, source_name}`. */
  columns: { ...list(Type.Record(Type.String(), Type.Unknown()), "a list"), hidden: true },
  /** The settings of the load that created the copy. If they change, a full load is needed. */
  settings: { ...text(), hidden: true },
  load: text(),
  rows: number({ withheld: true }),
  bytes: number({ withheld: true }),
  copied_rows: number({ withheld: true }),
  started_at: instant(),
  completed_at: instant(),
  as_of: instant(),
  full_at: instant(),
  /** The latest instant in the column that deltas are based on. */
  newest_at: { ...instant(), hidden: true },
  /** A fingerprint of the rows that the last delta read. */
  newest_print: { ...text(), hidden: true },
  failure: text(),
  failed_at: instant(),
  ...timestamps,
};

/**
 * The copy of an accelerated dataset: its state, the progress of a load, the instant of its rows at the source, and the
 * last failure. Written by the host; readable by users who may modify the dataset.
 */
export const datasetCopy: Declaration<typeof fields> = {
  name: "datasetcopy",
  actions: ["get"],
  fields,
  isLimited: limitedRows("securable_id"),
  allow(query, alias, _right, principal) {
    query.whereExists((one) => {
      one
        .select("s.id")
        .from("securable as s")
        .whereRaw("s.id = ??.securable_id", [alias])
        .where((rights) => securable.allow(rights, "s", "modify", principal));
    });
  },
  associations: {
    Securable: { kind: "one", resource: "securable", key: "securable_id" },
  },
};
