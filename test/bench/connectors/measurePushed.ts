import { createSqlPlugin, type SqlDriver, type Statement } from "../../../plugins/sql/index.ts";
import { spreadOf, type Spread } from "../spread.ts";
import { openConnected } from "./openConnected.ts";
import { pushedSources } from "./openPushedSources.ts";
import { orderColumns } from "./orders.ts";

const reference = (column_id: string) => ({ column_id, dataset_id: "D" });
const aggregated = (id: string, type: string) => ({ ...reference(id), aggregation: { type } });
const month = { ...reference("at"), level: 3 };

/** Queries that are pushed down completely. */
const questions: Readonly<Record<string, object>> = {
  "sums by status": {
    dimensions: [reference("status")],
    measures: [aggregated("price", "sum"), aggregated("id", "count")],
  },
  "by month in a zone, filtered": {
    dimensions: [month],
    measures: [aggregated("amount", "average")],
    where: [
      { expression: "? = ?", parameters: [reference("status"), "status 1"] },
      { expression: "? >= ?", parameters: [reference("at"), "2020-01-05T00:00:00.000Z"] },
      { expression: "? < ?", parameters: [reference("at"), "2020-02-12T00:00:00.000Z"] },
    ],
    options: { timezone_id: "Europe/Brussels" },
  },
  "ten customers of a search": {
    dimensions: [reference("customer")],
    measures: [aggregated("price", "sum")],
    where: [{ expression: "? starts with ?", parameters: [reference("customer"), "Customer 12"] }],
    order: [{ ...aggregated("price", "sum"), order: "desc" }],
    limit: { by: 10, offset: 0 },
  },
};

/**
 * Number of uncounted rounds. After these, the code of the host, the driver and the reader processes has been compiled.
 */
const warmUpRounds = 300;

export interface PushedReport {
  /** Milliseconds that the statement sent by hand takes. */
  readonly byHand: Spread;
  /** Milliseconds that the host needs in addition to the statement. */
  readonly beyond: Spread;
}

/**
 * Sends queries to the host over one database, and measures the time from the text of the call to the text of the
 * answer. Between these, sends the resulting statements by hand through the same driver.
 */
export async function measurePushed(
  source: keyof typeof pushedSources,
  rowCount: number,
  rounds: number,
): Promise<Readonly<Record<string, PushedReport>>> {
  const open = pushedSources[source];
  if (!open) throw new Error(`unknown source ${source}`);
  const { dialect, driver, credentials, datasetId, send, close } = await open(rowCount);
  const sent: Statement[] = [];
  const plugin = createSqlPlugin({
    dialect,
    driver: recorded(driver, sent),
    sizeBytes: 2 ** 28,
  });
  const connected = await openConnected({ plugin, credentials, datasetId }, orderColumns);
  const { host } = connected;
  try {
    const reports: Record<string, PushedReport> = {};
    for (const [title, question] of Object.entries(questions)) {
      const explained = JSON.stringify(await host.explain(question));
      if (!explained.includes('"mode":"whole"'))
        throw new Error(`the query was not pushed down: ${explained}`);
      sent.length = 0;
      const expected = await host.sendQuery(question);
      const [statement] = sent;
      if (!statement || sent.length > 1)
        throw new Error(`the query needed ${sent.length} statements instead of one`);
      const [handMs, beyondMs]: [number[], number[]] = [[], []];
      for (let round = -warmUpRounds; round < rounds; round++) {
        const startedAt = performance.now();
        const byHand = await send(statement);
        const halfAt = performance.now();
        const { data } = await host.sendQuery(question);
        const shown = JSON.stringify(data);
        const endedAt = performance.now();
        if (byHand !== expected.data.length || shown.length < 10)
          throw new Error(`${byHand} rows by hand, but ${shown.length} characters from the host`);
        if (round < 0) continue;
        handMs.push(halfAt - startedAt);
        beyondMs.push(endedAt - halfAt - (halfAt - startedAt));
      }
      reports[title] = { byHand: spreadOf(handMs), beyond: spreadOf(beyondMs) };
    }
    return reports;
  } finally {
    await connected.close();
    await plugin.close?.();
    await close();
  }
}

/** Returns a driver that records the statements of queries. */
function recorded(driver: SqlDriver, sent: Statement[]): SqlDriver {
  return {
    ...driver,
    use: (credentials, signal, run) =>
      driver.use(credentials, signal, async (session) => {
        const { rows } = session;
        return run(
          Object.assign(session, {
            rows: (statement: Statement, ended: AbortSignal) => {
              if (sent.at(-1)?.text !== statement.text) sent.push(statement);
              return rows(statement, ended);
            },
          }),
        );
      }),
  };
}
