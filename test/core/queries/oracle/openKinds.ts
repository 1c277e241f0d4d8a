import { openEgress } from "../../../../core/sources/connections/egress.ts";
import { overHttp } from "../../../../core/sources/connections/overHttp/index.ts";
import { serve } from "../../../../plugins/sdk/index.ts";
import { type Plugin } from "../../../../plugins/protocol/index.ts";
import { openLegacyPlugin } from "../../../support/legacyPlugin.ts";
import {
  createPlainHost,
  type PlainHost,
  type PlainHostOptions,
} from "../../../support/plainHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import type { Random } from "../../../support/random.ts";
import { randomCapabilities } from "../../../support/randomCapabilities.ts";

/** Hosts with different kinds of plugins, each of which listens on its own socket. */
export interface Kinds {
  readonly hosts: readonly (readonly [name: string, PlainHost])[];
  close(): Promise<void>;
}

/**
 * Opens three plugins over the given rows: a basic plugin of version 1.0.0, a plugin with pushdown of version 2.0.0,
 * and a plugin of `manifold-1` with random capabilities.
 */
export async function openKinds(
  options: Pick<PlainHostOptions, "columns" | "rows" | "now">,
  scratch: Plugin,
  random: Random,
): Promise<Kinds> {
  const { columns, rows } = options;
  const egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 30_000, sizeBytes: 2 ** 28 });
  const stored = columns.filter(({ expression }) => expression === undefined);
  const sheet = {
    id: "sheet",
    name: { en: "Sheet" },
    columns: stored.map(({ id, type, subtype }) => ({
      id: `source.${id}`,
      type,
      subtype: subtype ?? null,
    })),
    rows,
  };
  const basic = await openLegacyPlugin({ version: "1.0.0", pushdown: false, datasets: [sheet] });
  const pushdown = await openLegacyPlugin({ version: "2.0.0", pushdown: true, datasets: [sheet] });
  const plain = createPlainPlugin(randomCapabilities(random));
  const served = await serve(plain);
  plain.fill(
    "sheet",
    sheet.columns.map(({ id, type }) => ({ id, type: type as "numeric" })),
    rows,
  );
  const record = (slug: string, baseUrl: string) => ({
    slug,
    baseUrl,
    supportsDistinctcount: random.chance(0.5),
  });
  const plugins: readonly (readonly [string, Plugin])[] = [
    [
      "a basic plugin of 1.0.0",
      await overHttp(
        { ...record("basic", basic.url), protocolVersion: "1.0.0", pushdown: false },
        egress,
      ),
    ],
    [
      "a plugin of 2.0.0 with pushdown",
      await overHttp(
        { ...record("pushdown", pushdown.url), protocolVersion: "2.0.0", pushdown: true },
        egress,
      ),
    ],
    [
      `a plugin of manifold-1 with ${JSON.stringify(plain.capabilities)}`,
      await overHttp(
        { ...record("served", served.url), protocolVersion: "manifold-1", pushdown: false },
        egress,
      ),
    ],
  ];
  const hosts = await Promise.all(
    plugins.map(
      async ([name, plugin]) =>
        [
          name,
          await createPlainHost({ ...options, scratch, isTrusted: false, wrap: () => plugin }),
        ] as const,
    ),
  );
  return {
    hosts,
    async close() {
      await Promise.all([basic.close(), pushdown.close(), served.close()]);
      egress.close();
    },
  };
}
