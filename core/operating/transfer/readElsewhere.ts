import { ClientError, type Client } from "../../web/client/index.ts";
import type { Finding } from "./finding.ts";
import type { Json } from "./json.ts";
import { kindNames, kinds, type KindName } from "./kinds.ts";
import {
  findOf,
  isMadeByAlert,
  readAll,
  readElements,
  recordOf,
  type Row,
  type Tenant,
} from "./readTenant.ts";
import { hasElements, type TransferRecord } from "./record.ts";
import { isObject, type Members } from "../../base/index.ts";

/** What was read from a host elsewhere, and what that host refused to show. */
export interface Elsewhere extends Tenant {
  readonly findings: readonly Finding[];
}

/** Records that are not pulled, by their resource: what they are, and what to do about them. */
const notPulled: Readonly<Record<string, readonly [name: string, advice: string]>> = {
  user: ["people", "invite them here, and apply the folder again to add them to groups"],
  share: ["private links", "create them here, because their addresses change"],
  acceleration: ["accelerations", "create them here where queries of a source are slow"],
  customchart: ["custom charts", "upload their bundles here"],
  ssoconfig: ["providers of sign-on", "configure them here"],
};

/** Returns the message if a host refuses one call for a reason that does not concern all calls. */
function refusalOf(failure: unknown): string {
  const isOwn = failure instanceof ClientError && failure.status >= 400;
  if (!isOwn || [401, 429, 502, 503].includes(failure.status)) throw failure;
  return failure.message;
}

/** Returns the result of a call, or the message with which the host refuses it. */
async function tried<Result>(
  call: () => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly refusal: string }> {
  try {
    return { result: await call() };
  } catch (failure) {
    return { refusal: refusalOf(failure) };
  }
}

/** Reads the columns of all datasets with the datasets, for hosts that do not return columns by themselves. */
async function readColumnsOfDatasets(client: Client): Promise<Row[]> {
  const datasets = await readAll(client, "securable", {
    attributes: ["id"],
    where: { type: "dataset" },
    include: [{ model: "Column", include: [{ model: "Column", as: "Joins" }] }],
  });
  return datasets.flatMap(({ id, columns }) =>
    (Array.isArray(columns) ? columns : [])
      .filter((column): column is Row => isObject<"id">(column) && typeof column.id === "string")
      .map((column) => ({ ...column, securable_id: id })),
  );
}

/**
 * Reads all records of a kind. If the host refuses the whole question, asks with the links that it knows, then for all
 * members, and finally gives up on the kind. Adds what it could not read to `findings`.
 */
async function readRows(
  client: Client,
  kind: KindName,
  organizationId: string,
  findings: Finding[],
): Promise<readonly Row[]> {
  const { resource } = kinds[kind];
  const find = findOf(kind, organizationId);
  const whole = await tried(() => readAll(client, resource, find));
  if ("result" in whole) return whole.result;
  const include: Json[] = [];
  const unknown: string[] = [];
  for (const each of find.include) {
    const one = { ...(find.where && { where: find.where }), include: [each], limit: 1 };
    if ("result" in (await tried(() => client.get<unknown>(resource, one)))) include.push(each);
    else unknown.push(String(each.as));
  }
  const { attributes: _, include: __, ...rest } = find;
  const fewer = await tried(() => readAll(client, resource, { ...find, include }));
  const found =
    "result" in fewer ? fewer : await tried(() => readAll(client, resource, { ...rest, include }));
  if ("result" in found) {
    if (unknown.length > 0)
      findings.push({
        subject: `links of every ${kind}`,
        problem: `to ${unknown.join(", ")} are left out, because the host does not show them`,
      });
    return found.result;
  }
  const last =
    kind === "column" ? await tried(() => readColumnsOfDatasets(client)) : { refusal: "" };
  if ("result" in last) return last.result;
  findings.push({
    subject: `every ${kind}`,
    problem: `is left out, because the host does not show them: ${found.refusal}`,
  });
  return [];
}

/** Returns the record of a row, without the members that the row does not have. */
function presentMembers(kind: KindName, row: Row): TransferRecord {
  const record = recordOf(kind, row);
  const said = Object.entries(record.properties).filter(([member]) => row[member] !== undefined);
  return { ...record, properties: Object.fromEntries(said) };
}

/**
 * Reads an organization of any host that speaks the API, as far as the key pair may read it. Reads what a host shows,
 * and says in `findings` what it refuses to show and what is never pulled.
 * @throws {ClientError} if the host refuses the key pair, or does not respond
 */
export async function readElsewhere(
  client: Client,
  report: (line: string) => void,
): Promise<Elsewhere> {
  const findings: Finding[] = [];
  const { rows } = await client.get<{ rows: readonly (Row & Members<"name">)[] }>("organization");
  const organization = rows[0]!;
  const records: TransferRecord[] = [];
  const known = new Set([organization.id]);
  for (const kind of kindNames) {
    const found = await readRows(client, kind, organization.id, findings);
    for (const row of found) {
      const record = presentMembers(kind, row);
      if (record.parent !== undefined && !known.has(record.parent)) continue;
      if (isMadeByAlert(record) || known.has(record.id)) continue;
      known.add(record.id);
      records.push(record);
    }
    if (found.length > 0) report(`read ${found.length} ${kind}`);
  }
  for (const [resource, [name, advice]] of Object.entries(notPulled)) {
    const counted = await tried(() => client.get<{ count: number }>(resource, { limit: 1 }));
    const problem = `are not pulled: ${advice}`;
    if (!("result" in counted))
      findings.push({
        subject: name,
        problem: `${problem} (they were not counted: ${counted.refusal})`,
      });
    else if (counted.result.count > 0)
      findings.push({ subject: `${name} (${counted.result.count})`, problem });
  }
  return {
    organization: { id: organization.id, name: organization.name },
    records: await withElements(client, records, findings),
    findings,
  };
}

/** Adds the labels, colours and tree positions of values to the columns of strings. */
async function withElements(
  client: Client,
  records: readonly TransferRecord[],
  findings: Finding[],
): Promise<TransferRecord[]> {
  let isShown = true;
  const whole: TransferRecord[] = [];
  for (const record of records) {
    if (!hasElements(record) || !isShown) {
      whole.push(record);
      continue;
    }
    const read = await tried(() => readElements(client, record.id));
    if ("result" in read) whole.push({ ...record, elements: read.result });
    else {
      isShown = false;
      whole.push(record);
      findings.push({
        subject: "labels and colours of values",
        problem: `are left out, because the host does not show them: ${read.refusal}`,
      });
    }
  }
  return whole;
}
