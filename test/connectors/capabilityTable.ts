import { readdir, readFile } from "node:fs/promises";
import {
  aggregations,
  levels,
  operators,
  type Capabilities,
  type Connector,
} from "../../plugins/protocol/index.ts";
import { settingDefinitions } from "../../plugins/rows/formats/index.ts";
import { openReach } from "../support/openReach.ts";

const folder = new URL("../../connectors/", import.meta.url);

/** Returns the names of all connectors. */
export async function connectorNames(): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Returns the URL of a connector's page in the documentation. */
export function pageOf(name: string): URL {
  return new URL(`../../docs/connectors/${name}.md`, import.meta.url);
}

/**
 * Returns a connector's page, with the table of its capabilities between the marks, and on the page of files also the
 * tables of settings and types.
 * @throws {Error} if the page lacks the marks
 */
export async function pageWithTable(name: string): Promise<string> {
  const { open } = (await import(new URL(`${name}/index.ts`, folder).href)) as Connector;
  const plugin = await open({ reach: openReach(), timeoutMs: 1000, sizeBytes: 1000 });
  await plugin.close?.();
  const text = await readFile(pageOf(name), "utf8");
  const tables = {
    capabilities: capabilityTable(plugin.capabilities),
    ...(name === "files" && { settings: settingTable() }),
  };
  return Object.entries(tables).reduce((page, [id, table]) => withTable(page, id, table), text);
}

/** Replaces the text between the marks `<!-- id -->` and `<!-- /id -->`. */
function withTable(page: string, id: string, table: string): string {
  const [from, until] = [`<!-- ${id} -->`, `<!-- /${id} -->`];
  const start = page.indexOf(from);
  const end = page.indexOf(until);
  if (start < 0 || end < start) throw new Error(`the page must contain ${from} and ${until}`);
  return `${page.slice(0, start)}${from}\n\n${table}\n\n${page.slice(end)}`;
}

/** Returns the settings for reading files as a Markdown table. */
function settingTable(): string {
  return [
    "| property | value | default |",
    "|---|---|---|",
    ...Object.entries(settingDefinitions).map(
      ([id, { values, usual }]) => `| \`${id}\` | ${values} | ${usual} |`,
    ),
  ].join("\n");
}

/** Returns capabilities as a Markdown table. */
function capabilityTable(capabilities: Capabilities): string {
  const { filters, grouping } = capabilities;
  const typesOf = (operator: (typeof operators)[number]): string => {
    const exact = filters?.operators[operator] ?? [];
    const superset = (filters?.superset?.[operator] ?? []).filter((type) => !exact.includes(type));
    const parts = [
      ...(exact.length > 0 ? [named(exact)] : []),
      ...(superset.length > 0 ? [`${named(superset)} (as a superset)`] : []),
    ];
    return parts.join(", ") || "no";
  };
  // Operators with the same types share a row of the table.
  const byTypes = Map.groupBy(operators, typesOf);
  const listed = (all: readonly string[], offered: readonly string[] = []) => {
    const missing = all.filter((each) => !offered.includes(each));
    if (offered.length === 0) return "no";
    return missing.length === 0 ? "all" : `${offered.join(", ")}; not ${missing.join(", ")}`;
  };
  const rows: [string, string][] = [
    ["only the requested columns", yes(capabilities.projection)],
    ...[...byTypes].map(([types, names]): [string, string] => [
      `filters ${names.map((name) => `\`${name}\``).join(", ")}`,
      types,
    ]),
    ["`and` and `or` of filters", yes(filters?.nested)],
    ["filters on levels of datetimes", yes(filters?.levels)],
    ["maximum length of an `in` list", filters ? String(filters.listLength ?? "no limit") : "no"],
    ["groups, with these aggregations", listed(aggregations, grouping?.aggregations)],
    ["levels of datetimes", listed(levels, grouping?.levels)],
    ["levels in time zones", yes(grouping?.timezones)],
    ["levels in plain rows and in aggregations", yes(capabilities.levelsAnywhere)],
    ["bins with integer widths", yes(capabilities.bins)],
    ["bins with other widths", yes(capabilities.decimalBins)],
    ["joins", yes(capabilities.joins)],
    ["derived columns", capabilities.expressions ? "some" : "no"],
    ["filters on groups (`having`)", yes(capabilities.having)],
    ["order", yes(capabilities.order)],
    ["limit per group", yes(capabilities.groupLimit)],
    ["limit", yes(capabilities.limit)],
  ];
  return [
    "| part of a query | pushed down |",
    "|---|---|",
    ...rows.map((row) => `| ${row.join(" | ")} |`),
  ].join("\n");
}

const names = { numeric: "numbers", datetime: "datetimes", hierarchy: "strings" } as const;

function named(types: readonly (keyof typeof names)[]): string {
  return types.length === 3 ? "all types" : types.map((type) => names[type]).join(", ");
}

function yes(promised: boolean | undefined): string {
  return promised ? "yes" : "no";
}
