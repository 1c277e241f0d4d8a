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
  securable_id: uuid({ description: "The dataset whose rows are copied.", nullable: false }),
  /** The state of the copy. `failed` means that the last load failed; queries still use an earlier copy. */
  status: choice(["waiting", "copying", "ready", "failed"], {
    description: "State of the copy.",
    nullable: false,
    default: "waiting",
  }),
  /** The id of the store's dataset that contains the finished copy, which queries use. */
  copy_id: uuid({ hidden: true }),
  /** The id of the store's dataset that a running load fills. */
  building_id: uuid({ hidden: true }),
  /** The columns of the copy: `{id, type, source_name}`. */
  columns: list(Type.Record(Type.String(), Type.Unknown()), "a list", { hidden: true }),
  /** The settings with which the copy was loaded. If they change, a full load is needed. */
  settings: text({ hidden: true }),
  load: text({ description: "Type of the last load." }),
  rows: number({ description: "Number of rows in the copy.", withheld: true }),
  bytes: number({ description: "Size of the copy in bytes.", withheld: true }),
  copied_rows: number({
    description: "Number of rows that the current load has copied so far.",
    withheld: true,
  }),
  progress: number({
    description:
      "Share of the source's rows that the last load has copied, from 0 to 1. An estimate until the load has ended. Null if the source does not tell how many rows it has.",
    withheld: true,
  }),
  started_at: instant({ description: "When the last load began." }),
  completed_at: instant({ description: "When the last load ended." }),
  as_of: instant({
    description: "The copy contains the rows that the source had at this instant.",
  }),
  full_at: instant({ description: "When all rows were last copied." }),
  /** The latest copied instant of the column by which delta loads find new rows. */
  newest_at: instant({ hidden: true }),
  /** A fingerprint of the rows that the last delta read. */
  newest_print: text({ hidden: true }),
  failure: text({ description: "Why the last load failed. Null if it succeeded." }),
  failed_at: instant({ description: "When a load last failed." }),
  ...timestamps,
};

/**
 * The copy of an accelerated dataset: its state, the progress of a load, the time at which its rows were read from the
 * source, and the last failure. The host writes it, and users who may modify the dataset can read it.
 */
export const datasetCopy: Declaration<typeof fields> = {
  name: "datasetcopy",
  description:
    "The copy of a live dataset that an acceleration keeps in the store, and how its loads went.",
  rights: "Whoever can modify the dataset can read the copy.",
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
