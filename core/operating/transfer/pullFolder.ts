import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../../web/client/index.ts";
import { adaptRecords } from "./adaptRecords.ts";
import { createContentsReport } from "./createContentsReport.ts";
import { subjectOf, type Finding } from "./finding.ts";
import {
  expectOwnFolder,
  readManifest,
  readPull,
  reportFile,
  rowsFile,
  writePull,
  writeReport,
} from "./folder.ts";
import { pullRows, type PulledDataset } from "./pullRows.ts";
import { readElsewhere } from "./readElsewhere.ts";
import { isDerived, type TransferRecord } from "./record.ts";
import { TransferError } from "./transferError.ts";
import { writeModel } from "./writeModel.ts";
import { DataType } from "../../../plugins/protocol/index.ts";
import { Value } from "typebox/value";

export interface PullOptions {
  /** Calls the host from which to pull. */
  readonly client: Client;
  /** The address of that host, for the report. */
  readonly from: string;
  /** The folder. It may be missing, be empty, or contain an earlier pull of the same organization. */
  readonly dir: string;
  /** The slugs of the sources that this version can reach. */
  readonly connectors: readonly string[];
  /** Whether to pull the rows of stored datasets. */
  readonly pullsRows: boolean;
  /** Whether to report without writing anything. */
  readonly isDryRun: boolean;
  readonly report: (line: string) => void;
}

/** What was pulled, and every difference that the report lists. */
export interface Pulled {
  readonly counts: ReadonlyMap<string, number>;
  readonly rowCount: number;
  readonly findings: readonly Finding[];
}

/** Lists what the dashboards would not show here. */
function drawingFindings(records: readonly TransferRecord[]): Finding[] {
  const wanted = records.map((record) => ({ ...record, file: subjectOf(record), unset: [] }));
  const reportOf = createContentsReport({ wanted, present: [], ids: new Map() });
  return wanted.flatMap((record) =>
    reportOf(record).map((line) => ({
      subject: record.file,
      problem: line.slice(record.file.length + ": ".length),
    })),
  );
}

function isStorable({ properties }: TransferRecord): boolean {
  const { type } = properties;
  return Value.Check(DataType, type);
}

/** Returns the columns whose values can be pulled, for each stored dataset. */
function datasetsWithRows(
  records: readonly TransferRecord[],
): readonly (PulledDataset & { readonly record: TransferRecord })[] {
  const columnsOf = Map.groupBy(
    records.filter((each) => each.kind === "column" && !isDerived(each) && isStorable(each)),
    ({ parent }) => parent,
  );
  return records
    .filter(({ kind, source }) => kind === "dataset" && source?.kind === "pushed")
    .map((record) => ({
      record,
      id: record.id,
      columns: (columnsOf.get(record.id) ?? []).map(({ id, properties }) => {
        const { source_name: sourceName } = properties;
        return { id, sourceName: String(sourceName) };
      }),
    }))
    .filter(({ columns }) => columns.length > 0);
}

/** Writes the report: one line per difference, grouped by what differs. */
function reportOf(from: string, findings: readonly Finding[]): string {
  const lines = findings.map(({ subject, problem }) => `- ${subject} ${problem}`);
  return [
    `# What differs from ${from}`,
    "",
    findings.length === 0
      ? "No differences were found."
      : `Known differences between the folder and the organization: ${findings.length}.`,
    "",
    ...lines,
    "",
  ].join("\n");
}

/**
 * Writes the model of an organization on any host that speaks the API to a folder that `apply` accepts, and on request
 * the rows of its stored datasets. `REPORT.md` lists every difference. A pull that was cut continues with the rows that
 * are missing. Secrets are not pulled.
 * @throws {TransferError} if the folder contains other files or another organization
 * @throws {ClientError}
 */
export async function pullFolder(options: PullOptions): Promise<Pulled> {
  const { client, from, dir, connectors, pullsRows, isDryRun, report } = options;
  const elsewhere = await readElsewhere(client, report);
  const { organization } = elsewhere;
  const adapted = adaptRecords(elsewhere.records, connectors);
  const findings: Finding[] = [
    ...elsewhere.findings,
    ...adapted.findings,
    ...drawingFindings(adapted.records),
  ];
  const datasets = datasetsWithRows(adapted.records);
  if (!pullsRows)
    for (const { record } of datasets)
      findings.push({ subject: subjectOf(record), problem: "is pulled without its rows" });
  if (isDryRun) {
    const kinds = Map.groupBy(adapted.records, ({ kind }) => kind);
    const counts = new Map([...kinds].map(([kind, { length }]) => [kind, length]));
    return { counts, rowCount: 0, findings };
  }
  await expectOwnFolder(dir);
  const manifest = await readManifest(dir);
  if (manifest && manifest.organization.id !== organization.id)
    throw new TransferError(
      `${dir} contains another organization, ${manifest.organization.id}; pull to another folder`,
    );
  const counts = await writeModel(
    dir,
    { format: "manifold-tenant", version: 1, organization },
    adapted.records,
  );
  let rowCount = 0;
  if (pullsRows) {
    await mkdir(join(dir, "rows"), { recursive: true });
    const done = [...(await readPull(dir))];
    for (const { record, ...dataset } of datasets) {
      if (done.includes(dataset.id)) continue;
      const pulled = await pullRows(client, dataset, join(dir, rowsFile(dataset.id)));
      rowCount += pulled.rowCount;
      report(`pulled ${pulled.rowCount} rows of ${subjectOf(record)}`);
      if (pulled.isChanged)
        findings.push({
          subject: subjectOf(record),
          problem: `changed while its rows were read: the folder has ${pulled.rowCount} rows; pull again when nobody writes to it`,
        });
      else done.push(dataset.id);
      await writePull(dir, done);
    }
  }
  await writeReport(dir, reportOf(from, findings));
  await writePull(dir);
  report(`every difference is in ${join(dir, reportFile)}`);
  return { counts, rowCount, findings };
}
