import {
  aggregationDefinitions,
  aggregations,
  dataTypes,
} from "../../../plugins/protocol/index.ts";
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
import { lowestLevelProblem } from "./lowestLevelProblem.ts";
import { limitedRows } from "../rights/limitedRows.ts";
import { columnJoins } from "../rights/links.ts";
import { securable } from "../securables/securable.ts";
import { expressionWithoutHidden } from "../rights/withoutHidden.ts";
import { joinStored, refuseOtherType, leaveStored } from "./storedColumn.ts";

/** The types of stored columns: those of the protocol, and `spatial`, for which there are no values yet. */
const types = [...dataTypes, "spatial"];
/** The aggregations that need nothing but a column. */
const ofOneColumn = aggregations.filter((name) => !aggregationDefinitions[name].takes);
const subtypes = [
  "currency",
  "duration",
  "date",
  "datetime",
  "topography",
  "coordinates",
  "ip_address",
];

/** The rule for columns without a dataset: such a column belongs to its creator. */
const allowFree = withIds(
  (query, alias, _right, { userId }) => {
    query.whereNull(`${alias}.securable_id`).where(`${alias}.user_id`, userId);
  },
  (knex, table, _right, { userId }) =>
    knex(`${table} as f`).select("f.id").whereNull("f.securable_id").where("f.user_id", userId),
);

const fields = {
  ...identity,
  name: multilingual({
    description: "Name of the column, by language.",
    ...settable,
    length: limits.nameLength,
  }),
  description: multilingual({ ...settable, description: "What the column contains, by language." }),
  order: number({
    description: "Position of the column in lists, from 0.",
    ...settable,
    required: true,
    nullable: false,
  }),
  source_name: text({ description: "Name of the column at the source.", on: ["create"] }),
  type: choice([...types, ...types.map((type) => `array[${type}]`)], {
    description: "Type of the values: numbers, datetimes, strings (`hierarchy`) or positions.",
    ...settable,
    nullable: false,
    default: "hierarchy",
  }),
  subtype: choice([...subtypes, "hierarchy_element_expression", "interval"], {
    ...settable,
    description: "What the values mean, such as a currency, a duration or a date.",
  }),
  format: text({
    ...settable,
    description: "How the values are shown, such as `.2f` for numbers.",
  }),
  informat: text({
    description: "How the host read pushed values: a type, or a pattern such as `YYYY-MM-DD`.",
    ...settable,
    check: checkInformat,
  }),
  isLabel: flag({
    description: "Whether the values of the column are the names of the dataset's rows.",
    ...settable,
    nullable: false,
    default: false,
  }),
  hidden: flag({
    description: "Whether the column is hidden from readers of dashboards.",
    ...settable,
    nullable: false,
    default: false,
  }),
  lowestLevel: number({
    description:
      "The finest level of a datetime that charts offer: 1 is a year, 9 a millisecond. 0 for all levels.",
    ...settable,
    default: 0,
    check: lowestLevelProblem,
  }),
  highestLevel: number({
    description: "The coarsest level of a datetime that charts offer.",
    default: 0,
  }),
  expression: text({
    description: "The expression from which the column is computed. Null for a stored column.",
    ...settable,
    ...expressionWithoutHidden(),
    length: limits.expressionLength,
  }),
  width: number({
    description: "Width of the column in tables, in pixels. The host stores it for clients.",
    ...settable,
    default: 170,
  }),
  colors_enabled: flag({
    description: "Whether answers, and so charts, have the colours of the column's values.",
    ...settable,
    nullable: false,
    default: true,
  }),
  hierarchy_enabled: flag({
    description: "Kept for clients of the contract; it has no effect.",
    ...settable,
    nullable: false,
    default: false,
  }),
  ordering_enabled: flag({
    description: "Reserved by the contract; always false.",
    nullable: false,
    default: false,
  }),
  currency_id: text({ ...settable, description: "Currency of the values, as an ISO 4217 code." }),
  duration_levels: list(Type.Number(), "a list of level numbers", {
    ...settable,
    description: "Units in which durations are shown.",
  }),
  duration_format: choice(["long", "short", "time"], {
    description: "How durations are shown: `3 hours`, `3 h` or `03:00`.",
    ...settable,
    default: "long",
  }),
  custom_metadata: customMetadata(),
  ai_context: text({
    ...settable,
    description: "What the assistant should know about the column, in plain language.",
  }),
  previous_datetime_informat: text({ description: "Reserved by the contract; always null." }),
  color: text({
    description: "Reserved by the contract; a colour that charts do not use.",
    default: "#3182bd",
  }),
  prefix: text({ description: "Reserved by the contract; always null." }),
  suffix: text({ description: "Reserved by the contract; always null." }),
  minBound: number({
    description: "Lowest value in the stored rows, as `minimum`.",
    withheld: true,
  }),
  maxBound: number({
    description: "Highest value in the stored rows, as `maximum`.",
    withheld: true,
  }),
  cardinality: number({
    description: "Number of distinct values in the stored rows.",
    withheld: true,
  }),
  minimum: number({ description: "Lowest value in the stored rows.", withheld: true }),
  maximum: number({ description: "Highest value in the stored rows.", withheld: true }),
  derivation: text({ description: "Reserved by the contract; always null." }),
  version: number({
    description: "Version of the column's definition.",
    nullable: false,
    default: 0,
  }),
  aggregation_type: choice(ofOneColumn, {
    description:
      "The aggregation of measures of this column that name none, in queries and charts, if it suits the column's type. Otherwise: the sum of numbers, and the count of other values.",
    ...settable,
  }),
  custom_aggregations: list(Type.Unknown(), "a list", {
    description: "Reserved by the contract; always an empty list.",
  }),
  aggregation_id: uuid({ description: "Reserved by the contract; always null." }),
  timezone_id: text({ description: "Reserved by the contract; always null." }),
  /** The narrowed capabilities that the plugin of a live dataset last reported for the column. */
  narrowed: object({ hidden: true }),
  source_order: number({ hidden: true }),
  missing_since: instant({
    description:
      "When the source stopped returning the column. Null while the source returns the column.",
  }),
  securable_id: uuid({ description: "The dataset of the column." }),
  user_id: uuid({ hidden: true }),
  ...timestamps,
};

/** A column. Queries can use it once it is associated with a dataset. */
export const column: Declaration<typeof fields> = {
  name: "column",
  description: "A column of a dataset. It is stored, or computed by an expression.",
  rights:
    "A caller has the same rights as on the dataset. A column without a dataset belongs to its creator.",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  fields,
  inert: {
    explain_error: "the documentation of Validate Column; messages always explain the error",
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
 * Compiles the expression of a derived column and returns its type. If the caller also sends a type, it must be the
 * same.
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
 * Sets the owner of a column that is removed from a dataset: the caller if the caller owns the dataset, otherwise the
 * dataset's owner. The creator does not become the owner, because the column keeps values and labels that the creator
 * may not be allowed to see.
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
