import Type from "typebox";
import { allowAny, allowOwner, allowReading } from "../rights/allow.ts";
import { dueAfter } from "./dueAfter.ts";
import { mostUnits } from "./frequency.ts";
import { type RecurrenceUnit, recurrenceUnits } from "./nextDue.ts";
import {
  type Declaration,
  checkedObject,
  choice,
  identity,
  list,
  number,
  settable,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { accelerationTask } from "../securables/startAcceleration.ts";
import { securable } from "../securables/securable.ts";
import { isObject, isUuid, reference } from "../../base/index.ts";

/** Maximum overlap in seconds: one leap year. */
const mostOverlapS = 366 * 86_400;

const keyColumn = (described: { readonly description: string }) =>
  uuid({ ...described, ...settable, refersTo: ["column", "read"] });

const fields = {
  ...identity,
  load_type: choice(["full", "delta", "full-delta"], {
    description: "Whether a load copies all rows, only new and changed rows, or both in turn.",
    ...settable,
    nullable: false,
    default: "full",
  }),
  data_storage_strategy: choice(["insert", "insert-update", "insert-update-delete"], {
    ...settable,
    description:
      "Whether a load only adds rows, also replaces changed rows, or also removes deleted rows.",
  }),
  created_at_column_id: keyColumn({ description: "The column that says when a row was created." }),
  updated_at_column_id: keyColumn({
    description: "The column that says when a row was last changed.",
  }),
  deleted_at_column_id: keyColumn({ description: "The column that says when a row was deleted." }),
  primary_key_column_ids: list(Type.String(), "a list of column ids", {
    description: "The columns that identify a row.",
    ...settable,
    check: (value) =>
      Array.isArray(value) && value.length <= 100 && value.every(isUuid)
        ? undefined
        : "be a list of at most 100 UUIDs",
  }),
  schedule: checkedObject<{
    readonly frequency_unit: RecurrenceUnit;
    readonly frequency_quantity: number;
  }>({
    description: "When the host loads the rows.",
    ...settable,
    described: { given: reference("AccelerationSchedule") },
    check: (value) => {
      const given = isObject(value) ? value : {};
      const { frequency_unit: unit, frequency_quantity: quantity, ...others } = given;
      const isQuantity =
        Number.isInteger(quantity) && Number(quantity) > 0 && Number(quantity) <= mostUnits;
      const isAll = isQuantity && Object.keys(others).length === 0;
      return recurrenceUnits.some((each) => each === unit) && isAll
        ? undefined
        : `be {frequency_unit: one of ${recurrenceUnits.join(", ")}, frequency_quantity: a whole number from 1 to ${mostUnits}}`;
    },
  }),
  /** Seconds before the newest copied row from which a delta load reads rows again. */
  overlap_seconds: number({
    description:
      "How many seconds each load reaches back before the previous load, to include rows that arrive late.",
    ...settable,
    nullable: false,
    default: 300,
    check: (value) =>
      Number(value) >= 0 && Number(value) <= mostOverlapS
        ? undefined
        : `be a number of seconds from 0 to ${mostOverlapS}`,
  }),
  /** Maximum number of rows per second that a load reads from the source; null for no limit. */
  rows_per_second: number({
    description: "Maximum number of rows that a load reads from the source per second.",
    ...settable,
    check: (value) => (Number(value) >= 1 ? undefined : "be 1 or more rows, or null"),
  }),
  user_id: uuid({
    description: "The user with whose rights the host reads the rows.",
    nullable: false,
  }),
  ...timestamps,
};

/** Settings that affect the copy. Changing any of them starts a load at once. */
const loadMembers: readonly (keyof typeof fields)[] = [
  "load_type",
  "data_storage_strategy",
  "created_at_column_id",
  "updated_at_column_id",
  "deleted_at_column_id",
  "primary_key_column_ids",
  "overlap_seconds",
];

/** How the rows of a live dataset are copied into the store. */
export const acceleration: Declaration<typeof fields> = {
  name: "acceleration",
  description:
    "A rule that keeps copies of live datasets in the store, so that queries do not wait for the source.",
  rights: "Its creator has all rights. Whoever can read one of its datasets can read and use it.",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  ownedBy: "user_id",
  fields,
  allow: allowAny(
    allowOwner("user_id"),
    allowReading((query, alias, right, principal) => {
      query.whereExists((one) => {
        one
          .select("s.id")
          .from("securable as s")
          .whereRaw("s.acceleration_id = ??.id", [alias])
          .where((rights) => securable.allow(rights, "s", right, principal));
      });
    }),
  ),
  associations: {
    Securables: {
      kind: "many",
      resource: "securable",
      key: "acceleration_id",
      roles: ["own", "own"],
    },
    Owner: { kind: "one", resource: "user", key: "user_id" },
  },
  hooks: {
    async beforeCreate(values, { principal }) {
      return { ...values, user_id: principal.userId };
    },
    async afterUpdate(row, values, { context: { records } }, transaction) {
      const isLoadChanged = loadMembers.some((member) => Object.hasOwn(values, member));
      if (!isLoadChanged && !Object.hasOwn(values, "schedule")) return;
      const datasets = await records.find("securable", { acceleration_id: row.id }, transaction);
      const schedules = await records.find(
        "schedule",
        { securable_id: datasets.map(({ id }) => id), task: accelerationTask },
        transaction,
      );
      const { frequency_unit = null, frequency_quantity = null } = row.schedule ?? {};
      const recurrence = { frequency_unit, frequency_quantity };
      const now = new Date();
      for (const schedule of schedules) {
        const next = dueAfter({ ...schedule, ...recurrence }, now.getTime());
        const scheduled_at = isLoadChanged && schedule.active ? now : next;
        await records.change("schedule", schedule.id, { ...recurrence, scheduled_at }, transaction);
      }
    },
  },
};
