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
  /** The state of the copy. `failed` means that the last load failed; queries still use an earlier copy. */
  status: choice(["waiting", "copying", "ready", "failed"], {
    nullable: false,
    default: "waiting",
  }),
  /** The store's dataset that contains the finished copy, to which queries are sent. */
  copy_id: { ...uuid(), hidden: true },
  /** The store's dataset that a running load fills. */
  building_id: { ...uuid(), hidden: true },
  /** The columns of the copy: `{id, type, source_name}`. */
  columns: { ...list(Type.Record(Type.String(), Type.Unknown()), "a list"), hidden: true },
  /** The settings with which the copy was loaded. If they change, a full load is needed. */
  settings: { ...text(), hidden: true },
  load: text(),
  rows: number({ withheld: true }),
  bytes: number({ withheld: true }),
  copied_rows: number({ withheld: true }),
  started_at: instant(),
  completed_at: instant(),
  as_of: instant(),
  full_at: instant(),
  /** The latest instant in the column by which delta loads find new rows. */
  newest_at: { ...instant(), hidden: true },
  /** A fingerprint of the rows that the last delta read. */
  newest_print: { ...text(), hidden: true },
  failure: text(),
  failed_at: instant(),
  ...timestamps,
};

/**
 * The copy of an accelerated dataset: its state, the progress of a load, the time at which its rows were read from the
 * source, and the last failure. The host writes it, and users who may modify the dataset can read it.
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
