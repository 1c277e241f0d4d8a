import { dataTypes } from "../../../plugins/protocol/index.ts";
import type { Knex } from "knex";
import { ApiError } from "../../base/index.ts";
import { allowAny, allowLinked, allowShared } from "../rights/allow.ts";
import { checkExpression } from "./checkExpression.ts";
import { columnFormat } from "./columnFormat.ts";
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
      "put this formula on another dataset, which only its owners have",
    ]);
}

const fields = {
  ...identity,
  name: multilingual({ ...settable, length: limits.nameLength }),
  description: multilingual(settable),
  expression: text({
    ...settable,
    ...expressionWithoutHidden(),
    required: true,
    nullable: false,
    length: limits.expressionLength,
    check: (value) => (String(value).trim() === "" ? "be a non-empty string" : undefined),
  }),
  type: choice(dataTypes, {
    ...settable,
    nullable: false,
    default: "numeric",
  }),
  subtype: choice(["currency", "duration", "date", "datetime"], settable),
  format: text({ ...settable, default: columnFormat("numeric").format }),
  informat: text({ ...settable, default: columnFormat("numeric").informat }),
  lowestLevel: number(settable),
  currency_id: text(settable),
  custom_metadata: customMetadata(),
  ai_context: text(settable),
  user_id: uuid({ nullable: false }),
  ...timestamps,
};

/**
 * An aggregate expression over the columns of datasets. A right on one of its datasets gives the same right on the
 * formula.
 */
export const formula: Declaration<typeof fields> = {
  name: "formula",
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
