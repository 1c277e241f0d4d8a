import Cursor from "pg-cursor";
import type pg from "pg";
import { compareCells } from "../endToEnd/compareCells.ts";
import { spreadOf } from "../spread.ts";
import { openConnected } from "./openConnected.ts";
import { openOrders } from "./openOrders.ts";
import { columnNames, everyColumn, orderColumns } from "./orders.ts";
import { processorTime } from "../processorTime.ts";

/** Times of one way to read all rows: one number per round in each list. */
export interface RowsTimes {
  readonly wallMs: number[];
  /** Processor time of this process in milliseconds. */
  readonly ownMs: number[];
  /** Processor time of the server in milliseconds. */
  readonly serverMs: number[];
}

export interface RowsReport {
  readonly rowCount: number;
  readonly times: Readonly<Record<string, RowsTimes>>;
}

const ownMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const serverMs = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => sum + processorTime(pid), 0);

const blockRows = 8192;
const selected = columnNames.map((name) => `"source.${name}"`).join(", ");

/**
 * Reads all rows of a table in three ways, which take turns. A bare cursor loop fills arrays with the driver's values.
 * Another loop parses the driver's strings itself. The host does everything that it does for a query, except selecting
 * the columns.
 */
export async function measureRows(rowCount: number, rounds: number): Promise<RowsReport> {
  const orders = await openOrders(rowCount);
  const { host, close } = await openConnected(orders, orderColumns, () => ({ projection: true }));
  const { client, database } = orders;
  try {
    const byHand = await client.query({
      text: `select "source.status", sum("source.id"), sum("source.amount"), sum("source.price"),
        count(distinct "source.customer"), max("source.at") from orders group by 1 order by 1`,
      rowMode: "array",
      types: { getTypeParser: () => (text: string) => (/^-?[\d.]+$/.test(text) ? +text : text) },
    });
    const { data } = await host.sendQuery(everyColumn);
    compareCells("every column", data, byHand.rows as unknown[][], false);

    const ways: Readonly<Record<string, () => Promise<number>>> = {
      "bare loop, values from the driver": () => bareLoop(client),
      "bare loop, strings parsed by hand": () => bareLoop(client, texts, toValue),
      "the host, to the answer of its residual": async () => {
        await host.sendQuery(everyColumn);
        return rowCount;
      },
    };
    const times: Record<string, RowsTimes> = Object.fromEntries(
      Object.keys(ways).map((name) => [name, { wallMs: [], ownMs: [], serverMs: [] }]),
    );
    const backends = await database.run(
      "select pid from pg_stat_activity where datname = current_database()",
    );
    const pids = backends.map(([pid]) => Number(pid));
    for (let round = -1; round < rounds; round++)
      for (const [name, way] of Object.entries(ways)) {
        const [startedAt, own, server] = [performance.now(), ownMs(), serverMs(pids)];
        const count = await way();
        if (count !== rowCount) throw new Error(`${name} read ${count} of ${rowCount} rows`);
        if (round < 0) continue;
        times[name]?.wallMs.push(performance.now() - startedAt);
        times[name]?.ownMs.push(ownMs() - own);
        times[name]?.serverMs.push(serverMs(pids) - server);
      }
    return { rowCount, times };
  } finally {
    await close();
    await orders.close();
  }
}

const texts = { types: { getTypeParser: () => (text: string) => text } };

function toValue(text: unknown, column: number): unknown {
  if (column < 3) return Number(text);
  return column === 5 ? Date.parse(String(text)) : text;
}

async function bareLoop(
  client: pg.Client,
  types: object = {},
  valueOf: (cell: unknown, column: number) => unknown = (cell) => cell,
): Promise<number> {
  const config = { rowMode: "array", ...types } as never;
  const cursor = client.query(new Cursor<unknown[]>(`select ${selected} from orders`, [], config));
  const columns: unknown[][] = columnNames.map(() => []);
  for (;;) {
    const block = await cursor.read(blockRows);
    if (block.length === 0) break;
    for (const row of block)
      for (let column = 0; column < columns.length; column++)
        columns[column]?.push(valueOf(row[column], column));
  }
  await cursor.close();
  return columns[0]?.length ?? 0;
}

/** Formats the times of the three ways, with the host's speed relative to each way. */
export function shownRows({ rowCount, times }: RowsReport): readonly string[] {
  const [own] = Object.entries(times)
    .slice(-1)
    .flatMap(([, each]) => each);
  return Object.entries(times).map(([name, each]) => {
    const share = (of: (of: RowsTimes) => readonly number[]) =>
      own ? spreadOf(of(each).map((ms, round) => ms / (of(own)[round] ?? 0))).median : 0;
    const perSecond = (rowCount / spreadOf(each.wallMs).median) * 1000;
    const total = ({ ownMs, serverMs }: RowsTimes) =>
      ownMs.map((ms, at) => ms + (serverMs[at] ?? 0));
    return `  ${name.padEnd(42)} ${(perSecond / 1000).toFixed(0).padStart(6)}k rows/s  ${spreadOf(each.ownMs).median.toFixed(0).padStart(6)} + ${spreadOf(each.serverMs).median.toFixed(0).padStart(5)} ms processor  host: ${share((of) => of.wallMs).toFixed(2)} by clock, ${share(total).toFixed(2)} by processor`;
  });
}
