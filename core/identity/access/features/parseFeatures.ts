import { isList, nearestName } from "../../../base/index.ts";
import { featuresByName } from "./featureFlags.ts";

/** The flags in `feature_overrides`. Removed flags appear without `!`. */
export interface Features {
  /** The added flags, except flags that the list also removes, because removing takes precedence. */
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/** Parses the stored flags of a user or token. Their order does not matter. */
export function parseFeatures(overrides: unknown): Features {
  const flags = (isList(overrides) ? overrides : []).filter((flag) => typeof flag === "string");
  const removed = new Set(flags.flatMap((flag) => (flag.startsWith("!") ? [flag.slice(1)] : [])));
  const added = flags.filter((flag) => !flag.startsWith("!") && !removed.has(flag));
  return { added: new Set(added), removed };
}

const mostFlags = 100;
const shownLength = 60;
const shorten = (flag: string): string => JSON.stringify(flag.slice(0, shownLength));

/** Returns a suggestion for a misspelt flag. */
function suggest(flag: string): string {
  const plain = flag
    .slice(0, shownLength)
    .toLowerCase()
    .replaceAll(/[^a-z_]/g, "");
  const nearest = nearestName(plain, featuresByName.keys());
  return nearest ? `; did you mean ${flag.includes("!") ? "!" : ""}${nearest}?` : "";
}

/**
 * Returns the problem with a list of flags, as words that follow "must"; undefined for a valid list. Flags with `!`
 * must be known, because a misspelt removal would leave a permission in place. Flags without `!` may be unknown,
 * because they grant nothing.
 */
export function featureProblem(overrides: unknown): string | undefined {
  const flags = isList(overrides) ? overrides : [];
  if (flags.length > mostFlags) return `have at most ${mostFlags} flags, not ${flags.length}`;
  for (const flag of flags) {
    if (typeof flag !== "string") return "be a list of flags, each a string";
    const isRemoval = flag.startsWith("!");
    if (isRemoval && featuresByName.has(flag.slice(1))) continue;
    if (!isRemoval && /^flag_[a-z0-9_]{1,60}$/.test(flag)) continue;
    const names = [...featuresByName.keys()].map((name) => `!${name}`).join(", ");
    return isRemoval
      ? `only remove features that this host knows, not ${shorten(flag)}${suggest(flag)}; known: ${names}`
      : `have flags such as flag_export, or !flag_export to remove one, in lower case and without spaces, not ${shorten(flag)}${suggest(flag)}`;
  }
  return undefined;
}

/** The kind of record that a list of flags is set for. */
export type FeatureHolder = "user" | "token";

/** Returns a warning for each flag that has no effect, with the reason. The list must have passed `featureProblem`. */
export function featureWarnings(overrides: unknown, holder: FeatureHolder): readonly string[] {
  const { added, removed } = parseFeatures(overrides);
  const given = new Set(isList(overrides) ? overrides : []);
  const warnings: string[] = [];
  for (const flag of added) {
    const feature = featuresByName.get(flag);
    if (!feature)
      warnings.push(`${flag} is unknown to this host and has no effect${suggest(flag)}`);
    else if (feature.usual === "none")
      warnings.push(`${flag} has no effect: this host does not have ${feature.allows}`);
    else if (feature.usual === "on")
      warnings.push(`${flag} has no effect: everyone has this feature until !${flag} removes it`);
    else if (holder === "user")
      warnings.push(`${flag} has no effect for a user: add it to each key or token that needs it`);
  }
  for (const flag of removed) {
    const feature = featuresByName.get(flag);
    if (feature?.usual === "none")
      warnings.push(`!${flag} has no effect: this host does not have ${feature.allows}`);
    if (given.has(flag))
      warnings.push(`${flag} has no effect: !${flag} is also in the list and takes precedence`);
  }
  return warnings;
}
