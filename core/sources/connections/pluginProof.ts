import { createHash } from "node:crypto";
import type { Capabilities, Plugin } from "../../../plugins/protocol/index.ts";
import type { Config, Records, ResourceRow } from "../../base/index.ts";
import { type DoubtOf, narrowToReliable, type ReliableCapabilities } from "./narrowToReliable.ts";
import type { RemotePlugin } from "./overHttp/index.ts";

/** Returns a hash of a plugin's declaration. The order of members does not matter. */
export function declarationOf(
  { baseUrl, protocolVersion, pushdown, supportsDistinctcount }: RemotePlugin,
  capabilities: Capabilities,
): string {
  const declared = [baseUrl, protocolVersion, pushdown, supportsDistinctcount, capabilities];
  return createHash("sha256").update(JSON.stringify(declared, byName)).digest("hex");
}

function byName(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What the last check found about a plugin's current declaration. Empty if the declaration has changed since. */
export interface CheckedClaims {
  readonly proved: ReadonlySet<string>;
  /** The claims that the kit found wrong, each with the deviations that it found, such as "omits the group of null". */
  readonly wrong: ReadonlyMap<string, string>;
}

/** Returns what the last check of a plugin found about a declaration. */
export function checkedClaims(
  { checked_declaration, check_report: report }: ResourceRow<"plugin">,
  declaration: string,
): CheckedClaims {
  if (checked_declaration !== declaration) return { proved: new Set(), wrong: new Map() };
  const wrong = Object.entries(report?.wrong ?? {}).map(
    ([claim, deviations]) => [claim, deviations.map(withoutDetails).join("; ")] as const,
  );
  return { proved: new Set(report?.proved), wrong: new Map(wrong) };
}

/** Removes row counts and names of the source, which explanations must not show. */
function withoutDetails(deviation: string): string {
  return deviation
    .replace(/: .*$/s, "")
    .replace(/, in the columns? ".*$/s, "")
    .replace(/^(returns wrong cells) in .*$/s, "$1")
    .replace(/^lists the (dataset|column) .*$/s, "lists a $1 twice");
}

/** Marks the record of a plugin as unchecked if the plugin's declaration has changed since the check. */
export async function forgetStaleCheck(
  { id, checked_declaration: checked }: ResourceRow<"plugin">,
  declaration: string,
  records: Records,
): Promise<void> {
  if (!checked || checked === declaration) return;
  await records.change("plugin", id, {
    verification: "unchecked",
    checked_at: null,
    check_report: null,
    checked_declaration: null,
  });
}

/**
 * The last narrowed form of each plugin. The same object is reused, because probes and other data are cached by plugin
 * object.
 */
const known = new WeakMap<Plugin, { readonly key: string; readonly reliable: ReliablePlugin }>();

export interface ReliablePlugin extends Pick<ReliableCapabilities, "unreliableKeys"> {
  readonly plugin: Plugin;
}

/**
 * Returns a plugin that promises only the claims on which the host relies. `unused` lists its other claims. A claim
 * that the kit found wrong is never relied on. A claim that the kit has neither proved nor found wrong is relied on if
 * `trust` is `any`.
 */
export function reliablePlugin(
  plugin: Plugin,
  { proved, wrong }: CheckedClaims,
  trust: Config["plugins"],
): ReliablePlugin {
  if (trust === "any" && wrong.size === 0) return { plugin, unreliableKeys: [] };
  const key = JSON.stringify([trust, [...wrong], ...(trust === "verified" ? [[...proved]] : [])]);
  const last = known.get(plugin);
  if (last?.key === key) return last.reliable;
  const doubtOf: DoubtOf = (claim) => {
    const found = wrong.get(claim);
    if (found !== undefined) return `the conformance kit found this claim wrong: ${found}`;
    return trust === "any" || proved.has(claim)
      ? undefined
      : "the kit has not proved it, and MANIFOLD_PLUGINS is verified";
  };
  const { capabilities, left, unreliableKeys } = narrowToReliable(plugin.capabilities, doubtOf);
  const reliable: ReliablePlugin = {
    unreliableKeys,
    plugin: {
      ...plugin,
      capabilities,
      unused: [...(plugin.unused ?? []), ...left],
      ...(plugin.capabilitiesOf && {
        async capabilitiesOf(call) {
          const probed = await plugin.capabilitiesOf?.(call);
          const own = probed?.capabilities ?? plugin.capabilities;
          const { capabilities: narrowed } = narrowToReliable(own, doubtOf);
          return { ...probed, capabilities: narrowed, demoted: probed?.demoted ?? [] };
        },
      }),
    },
  };
  known.set(plugin, { key, reliable });
  return reliable;
}
