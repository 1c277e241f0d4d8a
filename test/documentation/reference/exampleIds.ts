import { createHash } from "node:crypto";

/** Returns an id that examples show for the record with this label. The same label always returns the same id. */
export function exampleId(label: string): string {
  const hex = createHash("sha256").update(label).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(12, 15)}`,
    `8${hex.slice(15, 18)}`,
    hex.slice(18, 30),
  ].join("-");
}

/** The records that exist before the examples run. */
const labels = [
  "organization",
  "me",
  "colleague",
  "orders",
  "region",
  "amount",
  "ordered",
  "regions",
  "code",
  "country",
  "trips",
  "visits",
  "board",
  "version",
  "team",
  "shop",
  "connection",
  "hook",
  "large orders",
  "every morning",
  "push",
  "sunflower",
  "conversation",
  "message",
] as const;

/** The example ids of records that exist before the examples run, by label. */
export const ids = Object.fromEntries(labels.map((label) => [label, exampleId(label)])) as {
  readonly [Label in (typeof labels)[number]]: string;
};

/** The address of the host in examples. */
export const hostUrl = "https://analytics.example.org";
/** The address of the plugin in examples. */
export const pluginUrl = "https://plugin.example.org";

/** The id of a private link that `share create` creates. Ids of links are not UUIDs. */
export const newShare = "Yq3vTn8RkWc5LxZb2MdHsA";
/** The id of a private link that was used before. */
export const usedShare = "m0QzKp7VtXe4RbNc9WfLgD";
/** The issuer of the provider in examples. */
export const issuer = "https://login.example.com";
