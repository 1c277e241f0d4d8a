import { dataTypes } from "../../../plugins/protocol/index.ts";
import type { Knex } from "knex";
import { ApiError } from "../../base/index.ts";
import { allowAny, allowLinked, allowShared } from "../rights/allow.ts";
import { checkExpression } from "./checkExpression.ts";
import { columnFormat } from "./columnFormat.ts";
import { lowestLevelProblem } from "./lowestLevelProblem.ts";
import {
  type Declaration,
  type HookCall,
  type LinkChange,
  customMetadata,
  identity,
  choice,
  limits,
  multilingual,
  number,
  selectAllowed,
  settable,
  text,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { formulaGroup, formulaUser, securableFormula } from "../rights/links.ts";
import { securable } from "../securables/securable.ts";
import { expressionWithoutHidden } from "../rights/withoutHidden.ts";

/**
 * Lets only the formula's owners associate it with a dataset, because the owners of the dataset become owners of the
 * formula too.
 */
async function expectOwnFormula(
  { action, link, own }: LinkChange,
  { context, principal }: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  if (action === "dissociate" || link !== securableFormula) return;
  const declared = context.declarations.get("formula") ?? formula;
  const owned = await selectAllowed(transaction, declared, [own.id], "own", principal);
  if (owned.length === 0)
    throw new ApiError("FORBIDDEN", [
      "move this formula to another dataset; only owners of the formula have this right",
    ]);
}

const fields = {
  ...identity,
  name: multilingual({
    description: "Name of the formula, by language.",
    ...settable,
    length: limits.nameLength,
  }),
  description: multilingual({
    ...settable,
    description: "What the formula computes, by language.",
  }),
  expression: text({
    description: "The expression, with aggregates over columns.",
    ...settable,
    ...expressionWithoutHidden(),
    required: true,
    nullable: false,
    length: limits.expressionLength,
    check: (value) => (String(value).trim() === "" ? "be a non-empty string" : undefined),
  }),
  type: choice(dataTypes, {
    description: "Type of the result.",
    ...settable,
    nullable: false,
    default: "numeric",
  }),
  subtype: choice(["currency", "duration", "date", "datetime"], {
    ...settable,
    description: "What the result means, such as a currency or a duration.",
  }),
  format: text({
    description: "How the result is shown, such as `.1%`.",
    ...settable,
    default: columnFormat("numeric").format,
  }),
  informat: text({
    description: "Reserved by the contract; the host stores this member but does not use it.",
    ...settable,
    default: columnFormat("numeric").informat,
  }),
  lowestLevel: number({
    ...settable,
    description: "The finest level of a datetime that charts offer. 0 for all levels.",
    check: lowestLevelProblem,
  }),
  currency_id: text({ ...settable, description: "Currency of the result, as an ISO 4217 code." }),
  custom_metadata: customMetadata(),
  ai_context: text({
    ...settable,
    description: "What the assistant should know about the formula, in plain language.",
  }),
  user_id: uuid({ description: "The user who owns the formula.", nullable: false }),
  ...timestamps,
};

/**
 * An aggregate expression over the columns of datasets. A right on one of its datasets gives the same right on the
 * formula.
 */
export const formula: Declaration<typeof fields> = {
  name: "formula",
  description:
    "A named expression over groups of rows, such as a ratio of two sums, that queries use as a measure.",
  rights:
    "Its owner has all rights, and links give rights to users and groups. A caller also has the same rights as on a dataset with which the formula is associated.",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  ownedBy: "user_id",
  fields,
  allow: allowAny(
    allowShared({
      ownerKey: "user_id",
      recordKey: "formula_id",
      users: formulaUser,
      groups: formulaGroup,
    }),
    allowLinked(() => securable, securableFormula, { own: "formula_id", parent: "securable_id" }),
  ),
  associations: {
    Securables: {
      kind: "through",
      resource: "securable",
      link: securableFormula,
      ownKey: "formula_id",
      otherKey: "securable_id",
      roles: ["modify", "modify"],
    },
    Users: {
      kind: "through",
      resource: "user",
      link: formulaUser,
      ownKey: "formula_id",
      otherKey: "user_id",
      roles: ["own", "organizationEditor"],
    },
    Groups: {
      kind: "through",
      resource: "group",
      link: formulaGroup,
      ownKey: "formula_id",
      otherKey: "group_id",
      roles: ["own", "use"],
    },
    Currency: {
      kind: "one",
      resource: "currency",
      key: "currency_id",
      roles: ["modify", "read"],
    },
    Owner: { kind: "one", resource: "user", key: "user_id", roles: ["own", "organizationEditor"] },
  },
  hooks: {
    onValidate: (values, call) => checkExpression("formula", values, call),
    async beforeCreate(values, call) {
      await checkExpression("formula", values, call);
      return { ...values, user_id: call.principal.userId };
    },
    async beforeUpdate(_row, values, call) {
      await checkExpression("formula", values, call);
      return values;
    },
    beforeLink: expectOwnFormula,
  },
};
