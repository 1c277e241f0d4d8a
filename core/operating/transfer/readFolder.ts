import { hierarchyFields, problemOf } from "../../resources/index.ts";
import { listFiles, readManifest, readRecordFile, type Manifest } from "./folder.ts";
import { type Json } from "./json.ts";
import { carried, declarationOf, kindNames, kinds, type KindName } from "./kinds.ts";
import {
  fillPlaceholders,
  placeholderProblem,
  secretive,
  variableOf,
  type Unset,
} from "./placeholders.ts";
import type { FiledRecord, LinkEntry, Member, Source } from "./record.ts";
import { refuseProblems, TransferError } from "./transferError.ts";
import { isObject, type Members } from "../../base/index.ts";

/** A record of a folder. Its placeholders are replaced where their variables are set. */
export interface WantedRecord extends FiledRecord {
  readonly unset: readonly Unset[];
}

export interface Folder {
  readonly manifest: Manifest;
  /** The records in the order in which they are created. */
  readonly records: readonly WantedRecord[];
}

const elementMembers = ["id", ...Object.keys(hierarchyFields)];

type Complain = (path: string, problem: string) => void;

function checkMembers(value: Json, known: readonly string[], path: string, complain: Complain) {
  for (const member of Object.keys(value))
    if (!known.includes(member))
      complain(`${path}${member}`, `is unknown; known members: ${known.join(", ")}`);
}

function readList(value: unknown, path: string, complain: Complain): readonly Json[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    complain(path, "must be a list");
    return [];
  }
  return value.filter((entry: unknown, index): entry is Json => {
    if (isObject(entry)) return true;
    complain(`${path}[${index}]`, "must be an object");
    return false;
  });
}

function readProperties(
  kind: KindName,
  value: unknown,
  path: string,
  complain: Complain,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly properties: Json; readonly unset: readonly Unset[] } {
  if (!isObject(value)) {
    complain(path, "must be an object");
    return { properties: {}, unset: [] };
  }
  const fields = carried(kind);
  checkMembers(value, [...fields.keys()], `${path}.`, complain);
  if (secretive.includes(kind))
    for (const [member, given] of Object.entries(value))
      for (const [name, each] of isObject(given) ? Object.entries(given) : [["", given] as const]) {
        const problem = placeholderProblem(each);
        const at = name === "" ? member : `${member}.${name}`;
        if (problem !== undefined) complain(`${path}.${at}`, problem);
      }
  const filled = fillPlaceholders({ kind, properties: value }, environment);
  for (const [member, field] of fields) {
    const given = filled.properties[member];
    if (field.secret && value[member] !== null && variableOf(value[member] ?? "${X}") === undefined)
      complain(
        `${path}.${member}`,
        "must be a placeholder such as ${NAME}, because files do not contain secrets",
      );
    else if (given !== undefined) {
      const problem = problemOf(field, given);
      if (problem !== undefined) complain(`${path}.${member}`, problem);
    } else if (field.required && !Object.hasOwn(value, member))
      complain(`${path}.${member}`, `is required: ${field.expects}`);
  }
  return filled;
}

function readSource(value: unknown, complain: Complain): Source {
  const { kind, account, dataset, query, parameters } = isObject(value) ? value : {};
  if (kind === "pushed") return { kind };
  if (kind === "plugin" && typeof account === "string" && typeof dataset === "string")
    return { kind, account, dataset };
  if (kind === "statement" && typeof account === "string" && typeof query === "string") {
    const given = readList(parameters, "source.parameters", complain);
    return { kind, account, query, parameters: given };
  }
  complain(
    "source",
    'must be {"kind": "pushed"}, {"kind": "plugin", "account": id, "dataset": "…"} or {"kind": "statement", "account": id, "query": "…", "parameters": […]}',
  );
  return { kind: "pushed" };
}

function readLinks(
  kind: KindName,
  value: unknown,
  path: string,
  complain: Complain,
): Record<string, LinkEntry[]> {
  if (value === undefined) return {};
  if (!isObject(value)) {
    complain(path, "must be an object of lists");
    return {};
  }
  checkMembers(value, kinds[kind].links, `${path}.`, complain);
  const links: Record<string, LinkEntry[]> = {};
  for (const name of kinds[kind].links) {
    const association = declarationOf(kind).associations[name];
    const link = association?.kind === "through" ? association.link : undefined;
    const rights = (link?.flags ?? []).map((flag) => flag.slice("flag".length).toLowerCase());
    const known = [
      "id",
      ...(rights.length > 0 ? ["right"] : []),
      ...(link?.choice ? [link.choice.member] : []),
      ...Object.keys(link?.fields ?? {}),
    ];
    const entries = readList(value[name], `${path}.${name}`, complain);
    for (const [index, entry] of entries.entries()) {
      const at = `${path}.${name}[${index}]`;
      checkMembers(entry, known, `${at}.`, complain);
      const { id, right } = entry;
      if (typeof id !== "string") complain(`${at}.id`, "must be an id");
      if (right !== undefined && !rights.includes(String(right)))
        complain(`${at}.right`, `must be one of ${rights.join(", ")}`);
      const type = link?.choice && entry[link.choice.member];
      if (type !== undefined && !link?.choice?.values.includes(String(type)))
        complain(
          `${at}.${link?.choice?.member}`,
          `must be one of ${link?.choice?.values.join(", ")}`,
        );
    }
    if (association?.kind === "one" && entries.length > 1)
      complain(`${path}.${name}`, "must have exactly one entry");
    links[name] = entries.filter((entry): entry is LinkEntry => typeof entry["id"] === "string");
  }
  return links;
}

function readGroupMembers(value: unknown, path: string, complain: Complain): Member[] {
  const link = declarationOf("group").associations["Users"];
  const flags = link?.kind === "through" ? (link.link.flags ?? []) : [];
  const rights = flags.map((flag) => flag.slice("flag".length).toLowerCase());
  return readList(value, path, complain).flatMap((entry, index) => {
    checkMembers(entry, ["email", "right"], `${path}[${index}].`, complain);
    const { email, right = "read" } = entry;
    if (typeof email === "string" && typeof right === "string" && rights.includes(right))
      return [{ email, right }];
    complain(
      `${path}[${index}]`,
      `must have an email, and a right that is one of ${rights.join(", ")}`,
    );
    return [];
  });
}

/** Reads a record and its parts. Passes each problem to `complain`. */
function readRecord(
  kind: KindName,
  value: Members<"elements" | "properties" | "links" | "source" | "members">,
  file: string,
  path: string,
  complain: Complain,
  environment: Readonly<Record<string, string | undefined>>,
  parent?: string,
): WantedRecord[] {
  const within = kind === "dataset" ? "columns" : kind === "column" ? "levels" : undefined;
  const known = [
    "id",
    "properties",
    "links",
    ...(kind === "dataset" ? ["source"] : []),
    ...(kind === "group" ? ["members"] : []),
    ...(kind === "column" ? ["elements"] : []),
    ...(within ? [within] : []),
    ...(parent === undefined ? ["$schema"] : []),
  ];
  checkMembers(value, known, path, complain);
  const { id } = value;
  if (typeof id !== "string" || id === "") {
    complain(`${path}id`, "must be an id");
    return [];
  }
  const partKind = kind === "dataset" ? "column" : "hierarchylevel";
  const parts = within
    ? readList(value[within], `${path}${within}`, complain).flatMap((part, index) =>
        readRecord(
          partKind,
          part,
          file,
          `${path}${within}[${index}].`,
          complain,
          environment,
          id.toLowerCase(),
        ),
      )
    : [];
  const elements = readList(value.elements, `${path}elements`, complain);
  for (const [index, element] of elements.entries()) {
    checkMembers(element, elementMembers, `${path}elements[${index}].`, complain);
    if (typeof element["id"] !== "string")
      complain(`${path}elements[${index}].id`, "must be a string");
  }
  const record: WantedRecord = {
    kind,
    id: id.toLowerCase(),
    file,
    ...readProperties(kind, value.properties, `${path}properties`, complain, environment),
    links: readLinks(kind, value.links, `${path}links`, complain),
    ...(parent !== undefined && { parent }),
    ...(kind === "dataset" && { source: readSource(value.source, complain) }),
    ...(kind === "group" &&
      value.members !== undefined && {
        members: readGroupMembers(value.members, `${path}members`, complain),
      }),
    ...(elements.length > 0 && { elements }),
  };
  return [record, ...parts];
}

/**
 * Reads a whole folder and checks every file before any record is created.
 * @throws {TransferError} that names each file and member, and the line of invalid JSON
 */
export async function readFolder(
  dir: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Folder> {
  const manifest = await readManifest(dir);
  if (!manifest)
    throw new TransferError(
      `${dir} has no manifest.json, so it is not an export; run manifold export --dir ${dir} first, or name the folder of an export`,
    );
  const problems: string[] = [];
  const records: WantedRecord[] = [];
  for (const file of await listFiles(dir)) {
    const kind = kindNames.find((name) => kinds[name].folder === file.split("/")[0])!;
    const complain: Complain = (path, problem) => problems.push(`${file}: ${path} ${problem}`);
    try {
      const value = await readRecordFile(dir, file);
      records.push(...readRecord(kind, value, file, "", complain, environment));
    } catch (failure) {
      if (!(failure instanceof TransferError)) throw failure;
      problems.push(failure.message);
    }
  }
  const byId = new Map<string, WantedRecord>();
  for (const record of records) {
    const before = byId.get(record.id);
    if (before) problems.push(`${record.file}: the id ${record.id} is also in ${before.file}`);
    byId.set(record.id, record);
  }
  refuseProblems(problems);
  // Within a kind, columns with values come before columns with expressions, which may use them.
  const rank = (record: WantedRecord) =>
    2 * kindNames.indexOf(record.kind) + (record.properties["expression"] ? 1 : 0);
  return { manifest, records: records.toSorted((one, other) => rank(one) - rank(other)) };
}
