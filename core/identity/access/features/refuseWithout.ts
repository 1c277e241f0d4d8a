import {
  type Action,
  ApiError,
  type Principal,
  type ResourceHandlers,
  wrapHandlers,
} from "../../../base/index.ts";
import { featuresByName, type FeatureName } from "./featureFlags.ts";

type Caller = Pick<Principal, "removedFeatures">;

/** Returns whether a caller lacks a feature, because the token, its user or its issuer does not have the feature. */
export function lacks({ removedFeatures }: Caller, feature: FeatureName): boolean {
  return removedFeatures?.has(feature) === true;
}

/**
 * Returns whether a key removes features that its user has. These features must not come back through records that
 * outlive the key.
 */
export function isBoundItself({ removedFeatures }: Caller): boolean {
  return [...(removedFeatures?.values() ?? [])].includes("token");
}

const by = { token: "its token", user: "its user", issuer: "the issuer of its token" } as const;

function refusal({ removedFeatures }: Caller, feature: string, what: string): ApiError {
  const source = by[removedFeatures?.get(feature) ?? "token"];
  return new ApiError("FORBIDDEN", [
    `${what}; !${feature} in the feature_overrides of ${source} removes it`,
  ]);
}

/**
 * Refuses a caller who lacks a feature. `what` follows "the right to" in the message.
 * @throws {ApiError} FORBIDDEN
 */
export function refuseWithout(feature: FeatureName, caller: Caller, what: string): void {
  if (lacks(caller, feature)) throw refusal(caller, feature, what);
}

/**
 * Refuses an action if the caller lacks a feature that it needs.
 * @throws {ApiError} FORBIDDEN
 */
export function refuseClosed(caller: Caller, resource: string, action: Action): void {
  for (const feature of caller.removedFeatures?.keys() ?? []) {
    const { closes = {} } = featuresByName.get(feature) ?? {};
    if (Object.hasOwn(closes, resource) && closes[resource]?.includes(action))
      throw refusal(caller, feature, `${action} ${resource}`);
  }
}

/**
 * Refuses changes that let a caller who lacks features sign in as a user who has them.
 * @throws {ApiError} FORBIDDEN
 */
export function refuseNewWayIn({ removedFeatures }: Principal, what: string): void {
  const lacking = [...(removedFeatures?.keys() ?? [])].map((feature) => `!${feature}`);
  if (lacking.length === 0) return;
  throw new ApiError("FORBIDDEN", [
    `${what} with a key and user that have all features; users who sign in that way would not have the caller's restrictions ${lacking.join(", ")}`,
  ]);
}

/** Wraps the handlers of a resource so that they refuse callers who lack a feature that the action needs. */
export function closeWithoutFeatures(
  resource: string,
  handlers: ResourceHandlers,
): ResourceHandlers {
  return wrapHandlers(handlers, (handler, action) => async (call) => {
    refuseClosed(call.principal, resource, action);
    return handler(call);
  });
}
