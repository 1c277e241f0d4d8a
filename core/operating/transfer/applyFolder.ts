import { ClientError, type Client } from "../../web/client/index.ts";
import { changeOf, fixedProblems, type Change } from "./changeOf.ts";
import { checkReferences, checkSecrets } from "./checkReferences.ts";
import { createRecord, refuseUnoffered } from "./createRecord.ts";
import { missingNeeds } from "./chosenRecords.ts";
import { readIds, type Remembered, writeIds } from "./folder.ts";
import { identify } from "./identify.ts";
import { isSame, type Json } from "./json.ts";
import { declarationOf, kindNames, type KindName, kinds } from "./kinds.ts";
import { loadRows } from "./loadRows.ts";
import { describeChange } from "./describeChange.ts";
import { createMembership, type Membership } from "./membership.ts";
import { readFolder, type WantedRecord } from "./readFolder.ts";
import { readElements, readTenant, type Tenant } from "./readTenant.ts";
import { isDerived, titleOf, type TransferRecord } from "./record.ts";
import { rewriteIds } from "./rewriteIds.ts";
import { refuseProblems, TransferError } from "./transferError.ts";
import { createContentsReport } from "./createContentsReport.ts";
import { messageOf } from "../../base/index.ts";

export interface ApplyOptions {
  readonly client: Client;
  readonly dir: string;
  /** The environment variables whose values replace placeholders. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether to report the changes without making them. */
  readonly isDryRun?: boolean;
  /**
   * Whether to send secrets to existing records as well, if their variables are set. Stored secrets cannot be compared.
   */
  readonly sendsSecrets?: boolean;
  /** The kinds to create and change. Other records of the folder are only used to find references. @default all */
  readonly only?: ReadonlySet<KindName>;
  /**
   * Whether to delete the records that an earlier apply took from this folder and whose files are gone. Records that
   * this folder never contained are kept.
   */
  readonly prunes?: boolean;
  /** Whether a dry run also reports the old and the new value of each member. */
  readonly explains?: boolean;
  /** Whether to load the rows that a pull wrote into datasets that have none. */
  readonly loadsRows?: boolean;
  /** Called with a line of text for each step. */
  readonly report?: (line: string) => void;
}

/** The changes made, or in a dry run the changes that would be made. */
export interface Applied {
  readonly createdCount: number;
  readonly changedCount: number;
  readonly unchangedCount: number;
  /** Records that were deleted because their files are gone. */
  readonly deletedCount: number;
  /**
   * In a dry run: the secrets that an apply needs and that are not set. Otherwise empty, because an apply with a
   * missing secret is refused.
   */
  readonly missing: readonly string[];
  /** Notes about additional records of the organization, and about skipped entries. They are not errors. */
  readonly notes: readonly string[];
  /**
   * One line for each part that a dashboard would not show, with its file and the path of the member. A dry run reports
   * all dashboards, and apply reports those that it created or changed.
   */
  readonly warnings: readonly string[];
}

const elementsPerCall = 5_000;

interface Run {
  readonly client: Client;
  readonly wanted: ReadonlyMap<string, WantedRecord>;
  readonly columnsOf: ReadonlyMap<string | undefined, readonly WantedRecord[]>;
  readonly ids: Map<string, string>;
  readonly state: Map<string, TransferRecord>;
  /** Ids of the folder's records that this run created, or that a dry run would create. */
  readonly created: Set<string>;
  readonly membership: Membership;
  readonly options: ApplyOptions;
  readonly notes: string[];
  readonly report: (line: string) => void;
}

const lineOf = (record: TransferRecord): string =>
  [record.kind, JSON.stringify(titleOf(record)), `(${record.id})`].join(" ");
const shown = (record: WantedRecord): string =>
  [record.kind, JSON.stringify(titleOf(record)), `of ${record.file}`].join(" ");

/** Runs a step. If the API returns an error, adds the file to its message. */
async function naming<Result>(record: WantedRecord, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (failure) {
    if (!(failure instanceof ClientError)) throw failure;
    const part =
      record.parent === undefined ? "" : ` (${record.kind} ${JSON.stringify(titleOf(record))})`;
    const way = failure.code === "SECRET_AGAIN" ? `; ${wayToSecret(record)}` : "";
    throw new TransferError(`${record.file}${part}: ${failure.message}${way}`, { cause: failure });
  }
}

/**
 * Returns words for a message that say how to send a secret. Folders do not contain a plugin's secret, so an API call
 * must change the plugin's address and send the secret again.
 */
const wayToSecret = ({ kind }: WantedRecord): string =>
  kind === "plugin"
    ? "update base_url of the plugin together with new_secret through the API, then apply again"
    : "run apply with --secrets to send the secrets from the environment";

/**
 * Lists the elements of a column that differ between the file and the organization. Compares only members that the file
 * contains.
 */
async function changedElements(
  { client }: Run,
  { elements }: WantedRecord,
  columnId: string,
): Promise<readonly Json[]> {
  if (!elements || elements.length === 0) return [];
  const present = new Map(
    (await readElements(client, columnId)).map((element) => [element["id"], element]),
  );
  return elements.filter((element) => {
    const held = present.get(element["id"]);
    return !held || Object.keys(element).some((name) => !isSame(element[name], held[name]));
  });
}

async function create(run: Run, record: WantedRecord): Promise<void> {
  const { client, ids, state, created, report } = run;
  const columns = run.columnsOf.get(record.id) ?? [];
  const dataset = run.wanted.get(record.parent ?? "");
  refuseUnoffered(record, dataset);
  const made = await naming(record, () => createRecord(client, record, ids));
  ids.set(record.id, made.record.id);
  state.set(made.record.id, made.record);
  for (const part of made.parts) {
    state.set(part.id, part);
    const name = part.properties["source_name"];
    const alike = columns.filter(
      (column) => !isDerived(column) && column.properties["source_name"] === name,
    );
    if (alike.length !== 1) continue;
    ids.set(alike[0]!.id, part.id);
    created.add(alike[0]!.id);
  }
  report(`created ${shown(record)}`);
  for (const warning of made.warnings ?? []) report(`  warning: ${warning}`);
  if (made.secret !== undefined)
    report(`  the secret of the ${record.kind}, shown only once: ${made.secret}`);
  if (record.kind === "dataset" && record.source?.kind === "pushed" && !run.options.loadsRows)
    report(`  it has no rows yet; push them with data create and securable_id ${made.record.id}`);
}

/** What a record lacks to match its file: the names of members and links, and sentences about them. */
interface Applying {
  readonly done: readonly string[];
  readonly details: readonly string[];
}

/** Changes a record to match its file. */
async function applyRecord(run: Run, record: WantedRecord): Promise<Applying> {
  const { client, ids, state, options, notes, membership } = run;
  const id = ids.get(record.id);
  const present = id === undefined ? undefined : state.get(id);
  if (id === undefined || !present) return { done: [], details: [] };
  const { resource } = kinds[record.kind];
  const isDryRun = options.isDryRun ?? false;
  const change: Change = changeOf(record, present, ids, options.sendsSecrets ?? false);
  const done: string[] = [];
  const step = async (what: string, call: () => Promise<unknown>) => {
    if (!isDryRun) await naming(record, call);
    done.push(what);
  };
  const members = Object.keys(change.properties);
  if (members.length > 0)
    await step(members.join(", "), () => client.update(resource, id, change.properties));
  for (const { role, id: other, properties } of change.links)
    await step(`${role} ${other}`, () =>
      client.associate(resource, id, { role, id: other }, properties),
    );
  for (const { role, id: other } of change.moreLinks)
    notes.push(`${lineOf(present)} also has ${role} ${other}`);
  for (const { email, right, userId, flag } of membership.missing(record, present))
    await step(`member ${email} (${right})`, () =>
      client.associate(resource, id, { role: "Users", id: userId }, { [flag]: true }),
    );
  notes.push(...membership.notes(record, present));
  const elements = await naming(record, () => changedElements(run, record, id));
  for (let start = 0; start < elements.length; start += elementsPerCall) {
    const updates = elements.slice(start, start + elementsPerCall);
    await step(`${updates.length} values`, () =>
      client.update<unknown>("hierarchy", id, { updates }),
    );
  }
  const details = options.explains ? describeChange(change, present, state) : [];
  return { done, details };
}

/** Refuses an existing dataset whose rows come from a source other than the one in the file. */
function sourceProblem(run: Pick<Run, "ids" | "state">, record: WantedRecord): string[] {
  const present = run.state.get(run.ids.get(record.id) ?? "");
  if (!present || isSame(rewriteIds(record.source, run.ids), present.source)) return [];
  return [
    `${record.file}: source is ${JSON.stringify(rewriteIds(record.source, run.ids))}, but the dataset ${present.id} has ${JSON.stringify(present.source)}; rename one of the two, or delete the dataset`,
  ];
}

/** The records of the folder that this run creates and changes, in order. */
const chosenOf = ({ wanted, options: { only } }: Run): readonly WantedRecord[] =>
  [...wanted.values()].filter(({ kind }) => only?.has(kind) ?? true);

/** Lists the secrets of new records whose variables are not set. */
function missingSecrets(run: Run, plugins: readonly TransferRecord[]): readonly string[] {
  const known = [...run.wanted.values(), ...plugins];
  return chosenOf(run)
    .filter(({ id }) => !run.ids.has(id))
    .flatMap((record) => checkSecrets(record, known));
}

/** Lists the problems that can be found before the first change, other than missing secrets. */
function problemsOf(run: Run): string[] {
  const { ids, state, membership, wanted } = run;
  return chosenOf(run).flatMap((record) => {
    const present = state.get(ids.get(record.id) ?? "");
    const problems = [
      ...membership.problems(record, present),
      ...(present ? fixedProblems(record, present, ids) : []),
    ];
    if (record.kind === "dataset") problems.push(...sourceProblem(run, record));
    if (ids.has(record.id)) return problems;
    if (record.kind === "group" && record.properties["public"] === true)
      problems.push(`${record.file}: the caller cannot see a Public group of the organization`);
    const isMade = declarationOf(record.kind).actions.includes("create");
    if (!isMade) problems.push(`${record.file}: a ${record.kind} cannot be created`);
    try {
      if (ids.has(record.parent ?? "")) refuseUnoffered(record, wanted.get(record.parent ?? ""));
    } catch (failure) {
      if (!(failure instanceof TransferError)) throw failure;
      problems.push(failure.message);
    }
    return problems;
  });
}

/**
 * For each kind, the maximum number of records that notes list because the folder lacks these records. The notes only
 * count the others.
 */
const mostNoted = 5;

/**
 * Makes an organization match a folder: creates missing records and changes records that differ. Deletes only what
 * `prunes` names. All files are checked before the first change. Applying the folder again continues after a failure,
 * and otherwise changes nothing. Ids in the files are mapped to ids of the organization. The folder stores this map in
 * `ids.<organization>.json`.
 * @throws {TransferError} that names file and member, and says what to do
 */
export async function applyFolder(options: ApplyOptions): Promise<Applied> {
  const { client, dir, environment, isDryRun = false, report = () => {} } = options;
  const folder = await readFolder(dir, environment);
  const tenant = await readTenant(client);
  const { id: organizationId } = tenant.organization;
  const remembered = await readIds(dir, organizationId);
  const { ids, problems } = identify(
    folder.records,
    tenant.records,
    remembered,
    `ids.${organizationId}.json`,
  );
  ids.set(folder.manifest.organization.id, organizationId);
  const state = new Map(tenant.records.map((record) => [record.id, record]));
  const notes: string[] = [];
  const membership = await createMembership(client, folder.records);
  const created = new Set<string>();
  const run: Run = {
    client,
    wanted: new Map(folder.records.map((record) => [record.id, record])),
    columnsOf: Map.groupBy(
      folder.records.filter(({ kind }) => kind === "column"),
      ({ parent }) => parent,
    ),
    ids,
    state,
    created,
    membership,
    options,
    notes,
    report,
  };
  const chosen = chosenOf(run);
  const missing = missingSecrets(run, tenant.records);
  refuseProblems([
    ...problems,
    ...checkReferences({ ...folder, records: chosen }, withRecords(tenant, folder.records)),
    ...(options.only ? missingNeeds(folder.records, options.only, ids) : []),
    ...problemsOf(run),
    ...(isDryRun ? [] : missing),
  ]);
  const gone = goneRecords(run, remembered);

  const reportOf = createContentsReport({ wanted: folder.records, present: tenant.records, ids });
  const warnings: string[] = isDryRun ? folder.records.flatMap(reportOf) : [];
  let changedCount = 0;
  let deletedCount = 0;
  let pending: string | undefined;
  const save = async () => {
    if (!isDryRun)
      await writeIds(dir, organizationId, { ids: new Map([...gone, ...ids]), pending });
  };
  await save();
  try {
    for (const record of chosen) {
      if (ids.has(record.id)) continue;
      pending = record.id;
      await save();
      if (isDryRun) report(`would create ${shown(record)}`);
      else await create(run, record);
      created.add(record.id);
    }
    pending = undefined;
    await save();
    // Set row filters before giving anybody a right on the rows.
    const first = chosen.filter(({ kind }) => kind === "embedfiltergroup");
    const rest = chosen.filter(({ kind }) => kind !== "embedfiltergroup");
    for (const record of [...first, ...rest]) {
      const { done, details } = await applyRecord(run, record);
      if (!isDryRun && (done.length > 0 || created.has(record.id)))
        warnings.push(...reportOf(record));
      if (done.length === 0 || created.has(record.id)) continue;
      changedCount++;
      report(`${isDryRun ? "would change" : "changed"} ${shown(record)}: ${done.join("; ")}`);
      for (const detail of details) report(`  ${detail}`);
    }
    if (options.loadsRows)
      await loadRows({ client, dir, organizationId, records: chosen, ids, isDryRun, report });
    if (options.prunes) deletedCount = await prune(run, gone, save);
  } catch (failure) {
    await save();
    throw new TransferError(
      `${messageOf(failure)}\nBefore that, ${created.size} records were created and ${changedCount} changed. These changes are kept; run apply again to continue.`,
      { cause: failure },
    );
  }
  const known = new Set(ids.values());
  const orphans = new Set(gone.values());
  const otherCounts = new Map<string, number>();
  for (const record of state.values()) {
    const { id, kind } = record;
    if (known.has(id) || (options.prunes && orphans.has(id))) continue;
    if (options.only && !options.only.has(kind)) continue;
    if (orphans.has(id))
      notes.push(
        `${lineOf(record)} is not in the folder; its file is gone, and --prune deletes it`,
      );
    else {
      const count = (otherCounts.get(kind) ?? 0) + 1;
      otherCounts.set(kind, count);
      if (count <= mostNoted) notes.push(`${lineOf(record)} is not in the folder`);
    }
  }
  for (const [kind, count] of otherCounts)
    if (count > mostNoted)
      notes.push(`${count - mostNoted} more records of the kind ${kind} are not in the folder`);
  return {
    createdCount: created.size,
    changedCount,
    unchangedCount: chosen.length - created.size - changedCount,
    deletedCount,
    missing: isDryRun ? missing : [],
    notes,
    warnings,
  };
}

const withRecords = (tenant: Tenant, records: readonly WantedRecord[]): Tenant => ({
  ...tenant,
  records: [...tenant.records, ...records],
});

/**
 * Finds records that an earlier run took from the folder, whose files are gone, and that the organization still has.
 * Returns their ids in the organization by their ids in the files. Omits parts of records.
 */
function goneRecords(run: Run, { ids: remembered }: Remembered): Map<string, string> {
  return new Map(
    [...remembered].filter(([id, target]) => {
      const present = run.state.get(target);
      return (
        !run.wanted.has(id) && present !== undefined && kinds[present.kind].folder !== undefined
      );
    }),
  );
}

/**
 * Deletes the records whose files are gone, in the reverse of the order in which kinds are created. Returns the number
 * of deleted records.
 */
async function prune(
  run: Run,
  gone: Map<string, string>,
  save: () => Promise<void>,
): Promise<number> {
  const { client, state, options, report } = run;
  const isDryRun = options.isDryRun ?? false;
  const doomed = [...gone]
    .map(([id, target]) => ({ id, record: state.get(target)! }))
    .filter(({ record }) => options.only?.has(record.kind) ?? true)
    .toSorted(
      (one, other) => kindNames.indexOf(other.record.kind) - kindNames.indexOf(one.record.kind),
    );
  for (const { id, record } of doomed) {
    const rows = record.source?.kind === "pushed" ? " with its rows" : "";
    if (isDryRun) {
      report(`would delete ${lineOf(record)}${rows}`);
      continue;
    }
    await client.delete(kinds[record.kind].resource, record.id);
    gone.delete(id);
    state.delete(record.id);
    await save();
    report(`deleted ${lineOf(record)}${rows}`);
  }
  return doomed.length;
}
