import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "../../../connectors/files/index.ts";
import { tableId } from "../../../plugins/sql/index.ts";
import {
  awkwardColumns,
  type AwkwardKind,
  type AwkwardLimits,
  type AwkwardTable,
} from "../../support/awkward.ts";
import { openReach } from "../../support/openReach.ts";
import type { Random } from "../../support/random.ts";
import type { ConnectorEngine } from "../connectorSuite.ts";

/** Types of the awkward columns, as an account declares them, because a few rows are not enough to detect the types. */
const declared: Readonly<Partial<Record<AwkwardKind, string>>> = {
  text: "text",
  datetime: "datetime",
  date: "date",
};
const columnsWith = (types: typeof declared): string =>
  JSON.stringify(
    Object.fromEntries(
      awkwardColumns.map(({ id, kind }) => [`source.${id}`, types[kind] ?? "number"]),
    ),
  );
export const declaredColumns = columnsWith(declared);

export interface FileEngineOptions {
  readonly ending: string;
  readonly limits: AwkwardLimits;
  readonly sheet?: string;
  /** Whether the format has whole numbers beyond 2^53, which are refused as numbers. */
  readonly keepsDigits?: boolean;
  readonly properties?: Readonly<Record<string, string>>;
  write(table: AwkwardTable, random: Random): string | Uint8Array | Promise<Uint8Array>;
}

/** Opens a folder in which each table of a suite is a file. */
export async function openFileEngine({
  ending,
  limits,
  properties = {},
  sheet,
  keepsDigits = false,
  write,
}: FileEngineOptions): Promise<ConnectorEngine> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-files-")));
  const plugin = await open({ reach: openReach(folder), timeoutMs: 30_000, sizeBytes: 2 ** 28 });
  const columns = keepsDigits ? columnsWith({ ...declared, big: "text" }) : declaredColumns;
  return {
    plugin,
    credentials: { host: folder, properties: { columns, ...properties } },
    keepsDigits,
    limits,
    async fill(table, random) {
      const name = `${table.name.replaceAll("/", "-")}.${ending}`;
      writeFileSync(join(folder, name), await write(table, random));
      return tableId({ schema: "main", name: sheet === undefined ? name : `${name}/${sheet}` });
    },
    contents: async () =>
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString("hex")]),
    async close() {
      await plugin.close?.();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
