import { dataTypes } from "../../../plugins/protocol/index.ts";
import type { Knex } from "knex";
import Type from "typebox";
import { ApiError, type ResourceRow } from "../../base/index.ts";
import { allowAny, allowThrough, withIds } from "../rights/allow.ts";
import { carryOutDue } from "../../catalog/index.ts";
import { checkExpression } from "./checkExpression.ts";
import {
  type Declaration,
  type HookCall,
  type KeyChange,
  type Values,
  type ValuesOf,
  choice,
  customMetadata,
  flag,
  identity,
  instant,
  limits,
  list,
  multilingual,
  number,
  object,
  settable,
  text,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import {
  refuseFilteredColumns,
  refuseFilteredOnMove,
  refuseFilteredOnUpdate,
} from "./refuseFilteredColumns.ts";
import { refuseRemoved, markRemoved } from "./refuseRemoved.ts";
import { checkInformat } from "./informat.ts";
import { limitedRows } from "../rights/limitedRows.ts";
import { columnJoins } from "../rights/links.ts";
import { securable } from "../securables/securable.ts";
import { expressionWithoutHidden } from "../rights/withoutHidden.ts";
import { joinStored, refuseOtherType, leaveStored } from "./storedColumn.ts";

/** The types of stored columns: those of the protocol, and `spatial`, for which there are no values yet. */
const types = [...dataTypes, "spatial"];
const subtypes = [
  "currency",
  "duration",
  "date",
  "datetime",
  "topography",
  "coordinates",
  "ip_address",
];

/** Rule for a column without a dataset, which belongs to its creator. */
const allowFree = withIds(
  (query, alias, _right, { userId }) => {
    query.whereNull(`${alias}.securable_id`).where(`${alias}.user_id`, userId);
  },
  (knex, table, _right, { userId }) =>
    knex(`${table} as f`).select("f.id").whereNull("f.securable_id").where("f.user_id", userId),
);

const fields = {
  ...identity,
  name: multilingual({ ...settable, length: limits.nameLength }),
  description: multilingual(settable),
  order: number({ ...settable, required: true, nullable: false }),
  source_name: text({ on: ["create"] }),
  type: choice([...types, ...types.map((type) => `array[${type}]`)], {
    ...settable,
    nullable: false,
    default: "hierarchy",
  }),
  subtype: choice([...subtypes, "hierarchy_element_expression", "interval"], settable),
  format: text(settable),
  informat: text({ ...settable, check: checkInformat }),
  isLabel: flag({ ...settable, nullable: false, default: false }),
  hidden: flag({ ...settable, nullable: false, default: false }),
  lowestLevel: number({ ...settable, default: 0 }),
  highestLevel: number({ default: 0 }),
  expression: text({
    ...settable,
    ...expressionWithoutHidden(),
    length: limits.expressionLength,
  }),
  width: number({ ...settable, default: 170 }),
  colors_enabled: flag({ ...settable, nullable: false, default: true }),
  hierarchy_enabled: flag({ ...settable, nullable: false, default: false }),
  ordering_enabled: flag({ nullable: false, default: false }),
  currency_id: text(settable),
  duration_levels: list(Type.Number(), "a list of level numbers", settable),
  duration_format: choice(["long", "short", "time"], { ...settable, default: "long" }),
  custom_metadata: customMetadata(),
  ai_context: text(settable),
  previous_datetime_informat: text(),
  color: text({ default: "#3182bd" }),
  prefix: text(),
  suffix: text(),
  minBound: number({ withheld: true }),
  maxBound: number({ withheld: true }),
  cardinality: number({ withheld: true }),
  minimum: number({ withheld: true }),
  maximum: number({ withheld: true }),
  derivation: text(),
  version: number({ nullable: false, default: 0 }),
  aggregation_type: text(),
  custom_aggregations: list(Type.Unknown(), "a list"),
  aggregation_id: uuid(),
  timezone_id: text(),
  /** The narrowed capabilities that the plugin of a live dataset last reported for the column. */
  narrowed: object({ hidden: true }),
  source_order: number({ hidden: true }),
  missing_since: instant(),
  securable_id: uuid(),
  user_id: { ...uuid(), hidden: true },
  ...timestamps,
};

/** A column. Queries can use it once it is associated with a dataset. */
export const column: Declaration<typeof fields> = {
  name: "column",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  fields,
  inert: {
    explain_error: "the documentation of Validate Column; every message already explains the error",
    colors: "old samples of the SDKs",
  },
  isLimited: limitedRows("securable_id"),
  allow: allowAny(
    allowFree,
    allowThrough(() => securable, "securable_id"),
  ),
  associations: {
    Securable: {
      kind: "one",
      resource: "securable",
      key: "securable_id",
      isPart: true,
      roles: ["modify", "modify"],
    },
    Joins: {
      kind: "through",
      resource: "column",
      link: columnJoins,
      ownKey: "column_id",
      otherKey: "joins_id",
      roles: ["modify", "use"],
    },
    HierarchyLevels: {
      kind: "many",
      resource: "hierarchylevel",
      key: "column_id",
      roles: ["modify", "modify"],
    },
    Currency: { kind: "one", resource: "currency", key: "currency_id", roles: ["modify", "read"] },
  },
  hooks: {
    onValidate: (values, call) => checkExpression("column", values, call),
    async beforeCreate(values, call) {
      const derived = await checkDerived(values, call);
      const { principal } = call;
      return { ...values, ...derived, user_id: principal.userId };
    },
    async beforeUpdate(row, values, call) {
      const changed = { ...values, ...(await checkDerived(values, call)) };
      refuseOtherKind(row, values);
      refuseOtherType(row, changed);
      await refuseFilteredOnUpdate(row, changed, call);
      return changed;
    },
    async beforeKey(change, call, transaction) {
      if (change.key !== "securable_id") return {};
      await refuseFilteredOnMove(change, call, transaction);
      await refuseRemoved(change, call, transaction);
      await joinStored(change, call, transaction);
      return change.action === "dissociate" ? freed(change, call, transaction) : {};
    },
    async beforeDelete(row, call, transaction) {
      const { context, principal } = call;
      const { securable_id: datasetId } = row;
      if (typeof datasetId === "string") {
        const { records } = context;
        const changedBy = { records, principal, knex: transaction, transaction };
        await refuseFilteredColumns(datasetId, [row.id], changedBy);
        await markRemoved(row, transaction);
      }
      await leaveStored(row, call, transaction);
    },
    afterDelete: (_row, { context }) => carryOutDue(context),
  },
};

/**
 * Compiles the expression of a derived column and returns its type. If the caller sends a type too, both must be equal.
 */
async function checkDerived(
  values: ValuesOf<typeof fields>,
  call: HookCall,
): Promise<ValuesOf<typeof fields>> {
  const { type } = await checkExpression("column", values, call);
  if (type === undefined) return {};
  const requested = values.type;
  if (requested !== undefined && requested !== type)
    throw new ApiError("MEMBER_INVALID", [
      "properties.type",
      `must be ${type}, which is the type of the expression, or be omitted`,
    ]);
  return { type };
}

/**
 * Sets the new owner of a column that leaves a dataset: the caller if the caller owns the dataset, and otherwise the
 * dataset's owner. The column keeps its stored values and labels, and its creator may not be allowed to see all of
 * these.
 */
async function freed(
  { target }: Pick<KeyChange, "target">,
  { context: { records }, principal }: HookCall,
  transaction: Knex.Transaction,
): Promise<Values> {
  const owned = await records.visible("securable", [target.id], "own", principal, transaction);
  const isOwn = owned.size > 0 && !principal.restriction;
  return { user_id: isOwn ? principal.userId : target["owner_id"] };
}

/** Refuses to turn a column with values into a derived column, or a derived column into a column with values. */
function refuseOtherKind(row: ResourceRow<"column">, values: ValuesOf<typeof fields>): void {
  const { expression } = values;
  if (expression === undefined || !row.securable_id) return;
  const isDerived = Boolean(row.expression);
  if (isDerived === Boolean(expression)) return;
  throw new ApiError("MEMBER_INVALID", [
    "properties.expression",
    isDerived
      ? "cannot be removed from a derived column of a dataset; delete the column"
      : "cannot be set for a column of a dataset that has values; create another column",
  ]);
}
