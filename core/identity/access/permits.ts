import type { Action, AuthorizationType, Principal, Restriction } from "../../base/index.ts";

const get: readonly Action[] = ["get"];

/**
 * What every token of a browser may ask, by resource: to read what it names, what that is shown with, and itself, and
 * to query data. Resources that are not here are closed to it, by whichever way they are asked for.
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
 * What a token of role designer or owner may ask besides: to save the dashboards that it may modify, to make dashboards
 * and alerts of its user, and to end what is its own. It shares nothing, and links nothing with anything.
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
 * Actions open to the visitor of a private link: those of a token except what belongs to a user, and the share itself.
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

/** Returns whether tokens of a type act within a restriction, instead of as their user. */
export function isRestricted(type: AuthorizationType): boolean {
  return type !== "api" && type !== "login";
}

/** Returns whether a type of token may ask an action of a resource at all; the rights on records are checked later. */
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
