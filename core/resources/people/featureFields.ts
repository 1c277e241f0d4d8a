import Type from "typebox";
import {
  featureProblem,
  featureWarnings,
  isBoundItself,
  parseFeatures,
} from "../../identity/index.ts";
import { ApiError, type Principal, type ResourceRow, type Members } from "../../base/index.ts";
import { type HookCall, type Values, list } from "../kernel/index.ts";

type Options = NonNullable<Parameters<typeof list>[2]>;

/** The member `feature_overrides`. */
export const featureOverrides = (options: Options) =>
  list(Type.String(), "a list of flags", { ...options, check: featureProblem });

/** The `warnings` in the answer of an action that sets flags. */
export const featureWarning = {
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: "Flags of feature_overrides without effect, each with the reason.",
    }),
  ),
};

/** The `warnings` in the answer of an action that creates or checks a token. */
export const tokenWarning = {
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Settings that probably do not have the effect that their author expects: flags of feature_overrides without effect, filters that restrict no rows, dashboards whose datasets the token does not reach, and members of a theme that no picture uses.",
    }),
  ),
};

/**
 * Returns `warnings` about the flags that a caller sends, followed by `more`, or no such member if there is nothing to
 * warn about.
 */
export function warningsOf(
  { feature_overrides }: Values,
  holder: "user" | "token",
  more: readonly string[] = [],
): { readonly warnings?: readonly string[] } {
  const warnings = [...featureWarnings(feature_overrides, holder), ...more];
  return warnings.length > 0 ? { warnings } : {};
}

/** Adds the removal of each given feature to a list of flags. */
function removing(given: unknown, features: Iterable<string>): Values {
  const flags = Array.isArray(given) ? given.map(String) : [];
  const more = [...features].map((feature) => `!${feature}`);
  return { feature_overrides: [...new Set([...flags, ...more])] };
}

const notice = (features: readonly string[], to: string): string =>
  `${features.map((feature) => `!${feature}`).join(", ")} was copied from the caller to ${to}`;

/**
 * Copies the feature removals of the caller's key to a new token, so that no key can create a token with more rights.
 * Removals of the user are not copied, because every call applies them to each of the user's tokens. `more` contains
 * further warnings for the answer.
 */
export async function inheritRemovals(
  values: Members<"feature_overrides">,
  { context, principal }: HookCall,
  more: readonly string[] = [],
): Promise<Values> {
  if (!isBoundItself(principal)) return warningsOf(values, "token", more);
  const [own] = await context.records.find("authorization", { id: principal.authorizationId });
  const removed = [...parseFeatures(own?.feature_overrides).removed];
  const given = values.feature_overrides;
  return {
    ...removing(given, removed),
    ...warningsOf(values, "token", [notice(removed, "the token"), ...more]),
  };
}

/** Copies the removal of each feature that the caller lacks to a user that the caller creates. */
export function inheritAllRemovals(
  values: Members<"feature_overrides">,
  { removedFeatures }: Principal,
): Values {
  const removed = [...(removedFeatures?.keys() ?? [])];
  if (removed.length === 0) return warningsOf(values, "user");
  const given = values.feature_overrides;
  return {
    ...removing(given, removed),
    ...warningsOf(values, "user", [notice(removed, "the user")]),
  };
}

/**
 * Checks who changes a user's feature flags. Only owners of the organization may change them, and only for other users.
 * They cannot restore a feature that they lack themselves.
 * @throws {ApiError} FORBIDDEN, CONFLICT
 */
export function checkFeatureChange(
  row: ResourceRow<"user"> | undefined,
  values: Members<"feature_overrides">,
  { organizationRole, removedFeatures, userId }: Principal,
): void {
  if (!Object.hasOwn(values, "feature_overrides")) return;
  const before = parseFeatures(row?.feature_overrides);
  const after = parseFeatures(values.feature_overrides);
  const isSame =
    before.removed.symmetricDifference(after.removed).size === 0 &&
    before.added.symmetricDifference(after.added).size === 0;
  if (isSame) return;
  if (organizationRole !== "owner")
    throw new ApiError("FORBIDDEN", [
      "set feature_overrides of a user; ask an owner of the organization",
    ]);
  if (row?.id === userId)
    throw new ApiError("CONFLICT", [
      "users cannot set their own feature_overrides; ask another owner of the organization",
    ]);
  const returned = [...before.removed].filter(
    (feature) => !after.removed.has(feature) && removedFeatures?.has(feature) === true,
  );
  if (returned.length > 0)
    throw new ApiError("FORBIDDEN", [
      `restore ${returned.join(", ")}, which the caller lacks as well`,
    ]);
}
