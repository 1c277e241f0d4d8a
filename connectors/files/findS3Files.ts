import { PluginError, type Credentials } from "../../plugins/protocol/index.ts";
import {
  formatOf,
  type Format,
  type FoundData,
  type TableName,
} from "../../plugins/rows/formats/index.ts";
import { webSampleBytes } from "./findWebFile.ts";
import { openWebFile, stateOf, versionOf, type WebState } from "./openWebFile.ts";
import { readS3Address } from "./s3Address.ts";
import { listS3, type S3Object } from "./listS3.ts";
import type { WebClient } from "./webClient.ts";

const mostFiles = 1000;

/**
 * Finds the object that an account's `host` names, or all files of rows whose keys start with it. With `wanted`,
 * finds only files that may contain that table, without listing the others.
 * @throws {PluginError} PLUGIN_INVALID naming the member, or an error of the storage
 */
export async function findS3Files(
  credentials: Credentials,
  client: WebClient,
  signal: AbortSignal,
  wanted?: TableName,
): Promise<readonly FoundData[]> {
  const address = readS3Address(credentials);
  const fileOf = (key: string, name: TableName, format: Format, state: WebState): FoundData => ({
    ...name,
    format,
    sampleBytes: webSampleBytes,
    version: versionOf(state),
    place: {
      kind: "remote",
      open: (until) =>
        openWebFile(
          { client, place: address.place, url: address.urlOf(key), format },
          state,
          until,
        ),
    },
  });
  const { prefix } = address;
  const own = prefix.endsWith("/") ? undefined : formatOf(prefix);
  if (own) {
    const url = address.urlOf(prefix);
    const state = await stateOf({ client, place: address.place, url, format: own }, signal);
    return [fileOf(prefix, { schema: "main", name: nameOf(prefix) }, own, state)];
  }
  const folder = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  const files: FoundData[] = [];
  for (const below of wanted ? pathsOf(wanted) : [""]) {
    for await (const object of listS3(address, `${folder}${below}`, client, signal)) {
      if (wanted && object.key !== `${folder}${below}`) continue;
      const path = object.key.slice(folder.length);
      const format = isReadable(path) ? formatOf(path) : undefined;
      if (!format) continue;
      if (files.length === mostFiles)
        throw new PluginError("PLUGIN_INVALID", [
          `host names a prefix with more than ${mostFiles} data files; name a longer prefix`,
        ]);
      files.push(fileOf(object.key, tableOf(path), format, stateFrom(object)));
    }
    if (wanted && files.length > 0) break;
  }
  return files;
}

/**
 * Returns the keys, relative to the prefix, of the files that may contain a table. For a workbook, the table's name is
 * the name of the file, followed by the name of the sheet.
 */
function pathsOf({ schema, name }: TableName): readonly string[] {
  const file = name.split("/")[0] ?? name;
  return schema === "main" ? [file, `main/${file}`] : [`${schema}/${file}`];
}

function tableOf(path: string): TableName {
  const end = path.lastIndexOf("/");
  return { schema: end < 0 ? "main" : path.slice(0, end), name: nameOf(path) };
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

/**
 * Returns whether a key can be read. Hidden files are skipped, as in folders. Keys with empty parts, such as `a//b`,
 * are also skipped, because they do not fit into a URL.
 */
function isReadable(path: string): boolean {
  return path.split("/").every((part) => part !== "" && !part.startsWith("."));
}

function stateFrom({ sizeBytes, etag }: S3Object): WebState {
  return { sizeBytes, hasRanges: true, ...(etag !== undefined && { etag }) };
}
