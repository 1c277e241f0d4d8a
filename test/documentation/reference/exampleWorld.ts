import type { Client } from "../../../core/web/client/index.ts";
import { hostUrl, ids } from "./exampleIds.ts";

/** A host with the records, the plugin and the webhook that the examples name. */
export interface ExampleWorld {
  readonly url: string;
  readonly key: string;
  readonly token: string;
  readonly client: Client;
  /** The strings of the examples, and the host's strings in their place. */
  readonly replaced: Map<string, string>;
  /** Replaces the strings of examples within a value by those of the host. */
  real<Value>(value: Value): Value;
  /** Creates what an example needs in addition, if it needs anything. */
  prepare(example: string): Promise<void>;
  close(): Promise<void>;
}

/** Replaces the strings of examples by those of the host. */
function realText(text: string, replaced: ReadonlyMap<string, string>): string {
  return [...replaced].reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}

/** Returns a world over a host that contains only these records, by the labels of their example ids. */
export function replacing(
  host: Pick<ExampleWorld, "url" | "key" | "token" | "client">,
  records: readonly (readonly [label: keyof typeof ids, id: unknown])[],
  replaced = new Map<string, string>([[hostUrl, host.url]]),
): ExampleWorld {
  for (const [label, id] of records) replaced.set(ids[label], String(id));
  return {
    ...host,
    replaced,
    real: (value) => JSON.parse(realText(JSON.stringify(value), replaced)),
    prepare: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
