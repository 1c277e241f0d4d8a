import { createHash } from "node:crypto";
import type { Capabilities, Plugin } from "../../../plugins/protocol/index.ts";
import type { Records, ResourceRow } from "../../base/index.ts";
import { narrowToProved, type ProvedCapabilities } from "./narrowToProved.ts";
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

/**
 * Returns the claims of a plugin that the kit has proved. Returns no claims if the declaration has changed since then.
 */
export function provedClaims(
  { checked_declaration, check_report }: ResourceRow<"plugin">,
  declaration: string,
): ReadonlySet<string> {
  return new Set(checked_declaration === declaration ? check_report?.proved : []);
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
 * The last proved form of each plugin. The same object is reused, because probes and other data are cached by plugin
 * object.
 */
const known = new WeakMap<Plugin, { readonly key: string; readonly proved: ProvedPlugin }>();

export interface ProvedPlugin extends Pick<ProvedCapabilities, "unprovedKeys"> {
  readonly plugin: Plugin;
}

/** Returns a plugin that promises only the proved claims. `unused` lists its other claims. */
export function provedPlugin(plugin: Plugin, claims: ReadonlySet<string>): ProvedPlugin {
  const key = JSON.stringify([...claims]);
  const last = known.get(plugin);
  if (last?.key === key) return last.proved;
  const { capabilities, left, unprovedKeys } = narrowToProved(plugin.capabilities, claims);
  const proved: ProvedPlugin = {
    unprovedKeys,
    plugin: {
      ...plugin,
      capabilities,
      unused: [...(plugin.unused ?? []), ...left],
      ...(plugin.capabilitiesOf && {
        async capabilitiesOf(call) {
          const probed = await plugin.capabilitiesOf?.(call);
          const own = probed?.capabilities ?? plugin.capabilities;
          const { capabilities: narrowed } = narrowToProved(own, claims);
          return { capabilities: narrowed, demoted: probed?.demoted ?? [] };
        },
      }),
    },
  };
  known.set(plugin, { key, proved });
  return proved;
}
