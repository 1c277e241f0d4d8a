import type { Principal } from "../../../base/index.ts";
import { featuresByName } from "./featureFlags.ts";
import { parseFeatures } from "./parseFeatures.ts";

/** The current state of a flag for a caller. */
export interface ExplainedFeature {
  readonly flag: string;
  readonly state: "on" | "off" | "no_effect";
  /** The holder of the flags that removed or added the feature; null if no flag did. */
  readonly set_by: "token" | "user" | "issuer" | null;
  readonly effect: string;
}

/** Lists the state of each flag for a caller, followed by the token's own unknown flags. */
export function explainFeatures(
  { removedFeatures, features }: Pick<Principal, "removedFeatures" | "features">,
  overrides: unknown,
): readonly ExplainedFeature[] {
  const { added, removed } = parseFeatures(overrides);
  const known = [...featuresByName].map(([flag, { usual, allows }]): ExplainedFeature => {
    const remover = removedFeatures?.get(flag) ?? null;
    if (usual === "none") {
      const isSet = added.has(flag) || removed.has(flag);
      const effect = `none: this host does not have ${allows}`;
      return { flag, state: "no_effect", set_by: isSet ? "token" : remover, effect };
    }
    const isAdded = features?.has(flag) === true;
    const isOn = remover === null && (usual === "on" || isAdded);
    return {
      flag,
      state: isOn ? "on" : "off",
      set_by: remover ?? (isAdded ? "token" : null),
      effect: `${isOn ? "may" : "may not"} ${allows}`,
    };
  });
  const unknown = [...added, ...removed].filter((flag) => !featuresByName.has(flag));
  const explainedUnknown = unknown.map((flag): ExplainedFeature => {
    const shown = removed.has(flag) ? `!${flag}` : flag;
    return {
      flag: shown,
      state: "no_effect",
      set_by: "token",
      effect: "none: unknown to this host",
    };
  });
  return [...known, ...explainedUnknown];
}
