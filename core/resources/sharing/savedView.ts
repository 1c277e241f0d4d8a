import type { Knex } from "knex";
import { ApiError, isObject } from "../../base/index.ts";
import { allowAny, allowOwner } from "../rights/allow.ts";
import {
  checkSize,
  type Declaration,
  flag,
  type HookCall,
  identity,
  limits,
  object,
  settable,
  text,
  timestamps,
  uuid,
  type ValuesOf,
} from "../kernel/index.ts";
import { allowReaders } from "./allowReaders.ts";
import { checkSharing } from "./checkSharing.ts";

/** Maximum size of a state. Dashboards read at most 200 choices of 1,000 values, and states are far smaller. */
const mostStateBytes = 262_144;

const fields = {
  ...identity,
  name: text({
    ...settable,
    description: "Name of the view.",
    required: true,
    nullable: false,
    length: limits.nameLength,
    check: (value) => (String(value).trim() === "" ? "not be blank" : undefined),
  }),
  state: object({
    ...settable,
    description:
      "What the person chose, as the property `state` of the component `<manifold-dashboard>` returns it.",
    required: true,
    nullable: false,
    check: (value) =>
      isObject<"version">(value) && value.version === 1
        ? checkSize(value, mostStateBytes)
        : "be the state of a dashboard, such as {version: 1, filters: {}}",
  }),
  shared: flag({
    ...settable,
    description: "Whether everyone who can read the dashboard can use the view.",
    nullable: false,
    default: false,
  }),
  is_default: flag({
    ...settable,
    description:
      'Whether the console and embedded dashboards with `view="default"` open with the view. Such a view is shared, and replaces the dashboard\'s earlier default.',
    nullable: false,
    default: false,
  }),
  securable_id: uuid({
    description: "The dashboard of the view.",
    on: ["create"],
    required: true,
    nullable: false,
    refersTo: ["securable", "read"],
  }),
  user_id: uuid({ description: "The user who saved the view.", nullable: false }),
  ...timestamps,
};

type View = ValuesOf<typeof fields>;

/**
 * Returns the values of a view with those that follow from them. A default view is shared.
 * @throws {ApiError} as `checkSharing` does, and CONFLICT for a default that is not shared
 */
async function checked(
  values: View,
  securableId: string | undefined,
  call: HookCall,
): Promise<View> {
  const isShared = values.shared === true || values.is_default === true;
  await checkSharing({ noun: "view", home: "dashboard" }, { securableId, isShared }, call);
  if (values.is_default === true && values.shared === false)
    throw new ApiError("CONFLICT", ["the view with which a dashboard opens must be shared"]);
  return {
    ...values,
    ...(values.is_default === true && { shared: true }),
    ...(values.shared === false && { is_default: false }),
  };
}

/** Makes a view the only default of its dashboard. Locks the dashboard, because two calls may set a default at once. */
async function keepOneDefault(
  { id, securable_id }: { readonly id: string; readonly securable_id: string },
  transaction: Knex.Transaction,
): Promise<void> {
  await transaction("securable").select("id").where({ id: securable_id }).forUpdate();
  await transaction("savedview")
    .where({ securable_id, is_default: true })
    .whereNot({ id })
    .update({ is_default: false });
}

/** A person's choices in a dashboard, saved under a name. */
export const savedView: Declaration<typeof fields> = {
  name: "savedview",
  description:
    "What a person chose in a dashboard, saved under a name: filters, selections, levels of periods and parameters.",
  rights:
    "The user who saved the view has all rights. Whoever can read the dashboard can read and use a shared view, and the dashboard's owner has all rights on it. Embed tokens can only read the default views of their dashboards.",
  actions: ["create", "get", "update", "delete", "validate"],
  // Readers keep shared views when their owner leaves. Private views are deleted with the owner.
  ownedBy: "user_id",
  ownedIf: "shared",
  fields,
  allow: allowAny(allowOwner("user_id"), allowReaders),
  associations: {
    Securable: { kind: "one", resource: "securable", key: "securable_id" },
    Owner: { kind: "one", resource: "user", key: "user_id" },
  },
  hooks: {
    async beforeCreate(values, call) {
      const { principal } = call;
      if (principal.restriction)
        throw new ApiError("FORBIDDEN", ["save a view; embed tokens have no views of their own"]);
      return { ...(await checked(values, values.securable_id, call)), user_id: principal.userId };
    },
    async beforeUpdate(row, values, call) {
      return checked(values, row.securable_id, call);
    },
    async afterCreate(row, _call, transaction) {
      if (row.is_default) await keepOneDefault(row, transaction);
    },
    async afterUpdate(row, values, _call, transaction) {
      if (values.is_default === true) await keepOneDefault(row, transaction);
    },
  },
};
