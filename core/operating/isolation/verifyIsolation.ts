import type { PlainTable } from "../../../plugins/conformance/index.ts";
import { type Allowance, allowanceByIssuer, allowanceByItself } from "./allowance.ts";
import { type Call, listAll } from "./createCall.ts";
import { checkRows, type DatasetSeen, readTable } from "./checkRows.ts";
import { checkDashboards } from "./checkDashboards.ts";
import { checkRecords } from "./checkRecords.ts";
import type {
  Gap,
  IsolationOptions,
  IsolationReport,
  KnownRecord,
  Leak,
} from "./isolationReport.ts";

/**
 * Sends the same queries with two tokens and compares what each token sees with what its record allows. O(queries *
 * rows) for each dataset and token.
 * @throws {Error} if the host does not respond, or a token is invalid
 */
export async function verifyIsolation(options: IsolationOptions): Promise<IsolationReport> {
  const { admin, tokens, seed } = options;
  const allowances = new Map<string, Allowance>();
  for (const { key, call } of tokens) {
    const { status } = await call("authorization", { action: "get", find: { where: { id: key } } });
    if (status !== 200) throw new Error(`the host refuses the token of ${key} (status ${status})`);
    const allowance = await (admin ? allowanceByIssuer(admin, key) : allowanceByItself(call, key));
    allowances.set(key, allowance);
  }
  const known = await knownRecords(options);
  const tables = new Map<string, PlainTable | undefined>();
  const count = { questions: 0, datasets: 0 };
  const leaks: Leak[] = [];
  const gaps: Gap[] = [];
  for (const { key, call } of tokens) {
    const allowance = allowances.get(key)!;
    const counted: Call = (resource, body) => {
      count.questions++;
      return call(resource, body);
    };
    leaks.push(...(await checkRecords({ key, call: counted, allowance, known })));
    for (const dataset of datasetsOf(known)) {
      const mayReach = allowance.securables?.has(dataset.id) !== false;
      if (!mayReach || (!admin && !dataset.seenBy.has(key))) continue;
      if (admin && !tables.has(dataset.id))
        tables.set(dataset.id, await readTable(admin, dataset, options.rowCount));
      const full = tables.get(dataset.id);
      count.datasets++;
      const found = await checkRows({ ...options, key, call: counted, allowance, dataset, full });
      leaks.push(...found.leaks);
      gaps.push(...found.gaps);
    }
    if (!admin) continue;
    const found = await checkDashboards({ key, call: counted, admin, allowance, known });
    leaks.push(...found.leaks);
    gaps.push(...found.gaps);
  }
  return {
    comparedBy: admin ? "issuer" : "tokens",
    seed,
    questionCount: count.questions,
    datasetCount: count.datasets,
    recordCount: known.length,
    leaks,
    gaps,
  };
}

/**
 * Lists the datasets, dashboards and columns that at least one of the callers sees, with the tokens that list each of
 * them.
 */
async function knownRecords({ admin, tokens }: IsolationOptions): Promise<readonly KnownRecord[]> {
  const known = new Map<string, KnownRecord & { readonly seenBy: Set<string> }>();
  const callers = [...(admin ? [{ key: undefined, call: admin }] : []), ...tokens];
  for (const { key, call } of callers)
    for (const resource of ["securable", "column"] as const) {
      const order = [["id", "asc"]];
      for (const row of await listAll<"id" | "type" | "name" | "securable_id">(call, resource, {
        order,
      })) {
        const id = String(row.id);
        const found = known.get(id) ?? {
          id,
          resource,
          type: String(row.type),
          names: namesOf(row.name),
          datasetId: resource === "column" ? String(row.securable_id) : id,
          seenBy: new Set<string>(),
        };
        if (key !== undefined) found.seenBy.add(key);
        known.set(id, found);
      }
    }
  return [...known.values()];
}

function namesOf(name: unknown): readonly string[] {
  const names = typeof name === "string" ? [name] : Object.values(name ?? {});
  return names.filter((each): each is string => typeof each === "string" && each.length > 2);
}

function datasetsOf(known: readonly KnownRecord[]): readonly DatasetSeen[] {
  const columns = Map.groupBy(
    known.filter(({ resource }) => resource === "column"),
    ({ datasetId }) => datasetId,
  );
  return known
    .filter(({ resource, type }) => resource === "securable" && type === "dataset")
    .map(({ id, seenBy }) => ({ id, seenBy, columns: columns.get(id) ?? [] }));
}
