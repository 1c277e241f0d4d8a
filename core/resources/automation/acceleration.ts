import Type from "typebox";
import { allowAny, allowOwner, allowReading } from "../rights/allow.ts";
import { recurrenceUnits } from "./nextDue.ts";
import {
  type Declaration,
  choice,
  identity,
  list,
  object,
  settable,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { securable } from "../securables/securable.ts";
import { isUuid } from "../../contracts/index.ts";
import { isObject } from "../../json/index.ts";

const keyColumn = () => uuid({ ...settable, refersTo: ["column", "read"] });

const fields = {
  ...identity,
  load_type: choice(["full", "delta", "full-delta"], {
    ...settable,
    nullable: false,
    default: "full",
  }),
  data_storage_strategy: choice(["insert", "insert-update", "insert-update-delete"], settable),
  created_at_column_id: keyColumn(),
  updated_at_column_id: keyColumn(),
  deleted_at_column_id: keyColumn(),
  primary_key_column_ids: list(Type.String(), "a list of column ids", {
    ...settable,
    check: (value) =>
      Array.isArray(value) && value.length <= 100 && value.every(isUuid)
        ? undefined
        : "be a list of at most 100 UUIDs",
  }),
  schedule: object({
    ...settable,
    check: (value) => {
      const { frequency_unit: unit, frequency_quantity: quantity } = isObject(value) ? value : {};
      const isQuantity = typeof quantity === "number" && quantity > 0;
      return recurrenceUnits.some((each) => each === unit) && isQuantity
        ? undefined
        : `be {frequency_unit: one of ${recurrenceUnits.join(", ")}, frequency_quantity: a number}`;
    },
  }),
  user_id: uuid({ nullable: false }),
  ...timestamps,
};

/** How the rows of a dataset that is asked live are copied into the store. */
export const acceleration: Declaration<typeof fields> = {
  name: "acceleration",
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
  },
};
