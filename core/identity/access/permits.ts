import type { Action, AuthorizationType, Principal, Restriction } from "../../base/index.ts";

const get: readonly Action[] = ["get"];

/**
 * The actions of every embed token, by resource. A token can read itself, the records that it names and the records
 * needed to show them, and it can query data. It cannot access any other resource.
 */
export const restrictedActions: Readonly<Record<string, readonly Action[]>> = {
  authorization: get,
  user: get,
  securable: get,
  column: get,
  formula: get,
  hierarchylevel: get,
  collection: get,
  integration: get,
  tag: get,
  savedview: get,
  theme: get,
  customchart: get,
  country: get,
  locale: get,
  currency: get,
  timezone: get,
  data: ["get", "explain"],
  export: ["create", "get", "delete"],
  dataexport: ["create"],
  aichart: ["create"],
  aimessage: ["create"],
  aiprompt: ["create"],
  aisummary: ["create"],
  iqmessage: ["create"],
};

/**
 * Further actions of a token with the role designer or owner: saving the dashboards that it may modify, creating
 * dashboards and alerts for its user, and deleting the records that it created. It cannot share or link records.
 */
const designerActions: Readonly<Record<string, readonly Action[]>> = {
  securable: ["create", "update", "validate"],
  alert: ["get", "create", "update", "delete", "validate", "test", "backtest", "preview"],
};
const ownerActions: Readonly<Record<string, readonly Action[]>> = {
  ...designerActions,
  securable: ["create", "update", "delete", "validate"],
};
const byRole: Readonly<Record<Restriction["role"], Readonly<Record<string, readonly Action[]>>>> = {
  viewer: {},
  designer: designerActions,
  owner: ownerActions,
};

/**
 * Actions of a visitor with a private link: reading the share itself, and the actions of an embed token on resources
 * that do not belong to a user.
 */
const visitorActions: Readonly<Record<string, readonly Action[]>> = {
  share: get,
  securable: get,
  column: get,
  formula: get,
  hierarchylevel: get,
  tag: get,
  theme: get,
  customchart: get,
  country: get,
  locale: get,
  currency: get,
  timezone: get,
  data: ["get", "explain"],
};

/** Returns whether tokens of a type are restricted, rather than having all rights of their user. */
export function isRestricted(type: AuthorizationType): boolean {
  return type !== "api" && type !== "login";
}

/**
 * Returns whether a type of token may call an action of a resource on any record. Rights on records are checked later.
 */
export function permits(
  { authorizationType, restriction }: Pick<Principal, "authorizationType" | "restriction">,
  resource: string,
  action: Action,
): boolean {
  if (!isRestricted(authorizationType)) return true;
  const tables =
    authorizationType === "share"
      ? [visitorActions]
      : [restrictedActions, byRole[restriction?.role ?? "viewer"]];
  return tables.some(
    (table) => Object.hasOwn(table, resource) && table[resource]?.includes(action) === true,
  );
}
