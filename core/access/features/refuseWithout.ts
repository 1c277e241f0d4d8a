import {
  wrapHandlers,
  type Action,
  type Principal,
  type ResourceHandlers,
} from "../../contracts/index.ts";
import { ApiError } from "../../errors.ts";
import { featuresByName, type FeatureName } from "./featureFlags.ts";

type Caller = Pick<Principal, "removedFeatures">;

/** Returns whether a feature was taken away from a caller: from its token, its user, or the issuer of its token. */
export function lacks({ removedFeatures }: Caller, feature: FeatureName): boolean {
  return removedFeatures?.has(feature) === true;
}

/** Returns whether a key takes features away that its user has: what outlives the key must not give them back. */
export function isBoundItself({ removedFeatures }: Caller): boolean {
  return [...(removedFeatures?.values() ?? [])].includes("token");
}

const by = { token: "its token", user: "its user", issuer: "the issuer of its token" } as const;

function refusal({ removedFeatures }: Caller, feature: string, what: string): ApiError {
  const source = by[removedFeatures?.get(feature) ?? "token"];
  return new ApiError("FORBIDDEN", [
    `${what}, which !${feature} in the feature_overrides of ${source} takes away`,
  ]);
}

/**
 * Refuses what a feature is for to a caller who lacks it.
 * @throws {ApiError} FORBIDDEN
 */
export function refuseWithout(feature: FeatureName, caller: Caller, what: string): void {
  if (lacks(caller, feature)) throw refusal(caller, feature, what);
}

/**
 * Refuses an action that a feature which the caller lacks closes.
 * @throws {ApiError} FORBIDDEN
 */
export function refuseClosed(caller: Caller, resource: string, action: Action): void {
  for (const feature of caller.removedFeatures?.keys() ?? []) {
    const { closes = {} } = featuresByName.get(feature) ?? {};
    if (Object.hasOwn(closes, resource) && closes[resource]?.includes(action))
      throw refusal(caller, feature, `${action} ${resource}`);
  }
}

/** Wraps the handlers of a resource so that they refuse callers who lack the feature that an action is part of. */
export function closeWithoutFeatures(
  resource: string,
  handlers: ResourceHandlers,
): ResourceHandlers {
  return wrapHandlers(handlers, (handler, action) => async (call) => {
    refuseClosed(call.principal, resource, action);
    return handler(call);
  });
}
