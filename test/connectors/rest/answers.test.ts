import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "../../../connectors/rest/index.ts";
import {
  awkwardCell,
  awkwardType,
  type AwkwardColumn,
  type AwkwardTable,
} from "../../support/awkward.ts";
import { rounds } from "../../support/layer.ts";
import { openReach } from "../../support/openReach.ts";
import { createRandom } from "../../support/random.ts";
import { connectorSuite, type ConnectorEngine } from "../connectorSuite.ts";
import { writeDelimited } from "../files/writeDelimited.ts";

const pageRows = 40;

/** A row of an API: the JSON object, and the row's cells. */
interface ApiRow {
  readonly shown: object;
  readonly cells: AwkwardTable["rows"][number];
}

interface ApiTable extends Pick<AwkwardTable, "columns"> {
  readonly rows: readonly ApiRow[];
}

/** A kind of paging: how a description declares it, and the response for a page. */
interface Paging {
  readonly dataset: object;
  /** Whether the API has a parameter for each possible filter, and the description declares these parameters. */
  readonly isFiltered?: boolean;
  answer(all: readonly object[], url: URL, response: ServerResponse): unknown;
}

const part = <Row>(all: readonly Row[], from: number): readonly Row[] =>
  all.slice(from, from + pageRows);
const numberOf = (url: URL, name: string) => Number(url.searchParams.get(name));

const pagings: Readonly<Record<string, Paging>> = {
  "pages by number": {
    dataset: { pages: { type: "number", parameter: "page", first: 0 } },
    answer: (all, url) => part(all, pageRows * numberOf(url, "page")),
  },
  "pages by offset and total": {
    dataset: { rows: "1", pages: { type: "offset", parameter: "from", total: "0.total" } },
    answer: (all, url) => [{ total: all.length }, part(all, numberOf(url, "from"))],
  },
  "pages by cursor": {
    dataset: { rows: "data.items", pages: { type: "cursor", parameter: "after", at: "next" } },
    answer(all, url) {
      const to = numberOf(url, "after") + pageRows;
      const next = to < all.length ? String(to) : null;
      return { data: { items: part(all, to - pageRows) }, next };
    },
  },
  "filters, and pages by number and total": {
    dataset: { rows: "rows", pages: { type: "number", parameter: "page", total: "count" } },
    isFiltered: true,
    answer: (all, url) => ({
      count: all.length,
      rows: part(all, pageRows * (numberOf(url, "page") - 1)),
    }),
  },
  "pages by links": {
    dataset: { pages: { type: "link" } },
    answer(all, url, response) {
      const to = numberOf(url, "x") + pageRows;
      if (to < all.length) response.setHeader("link", `<?x=${to}>; rel="next"`);
      return part(all, to - pageRows);
    },
  },
};

const declaredType = { text: "text", datetime: "datetime", date: "date" } as const;

const operatorsOf = (column: AwkwardColumn) =>
  column.kind === "text" ? (["=", "in"] as const) : (["=", "in", "<", "<=", ">", ">="] as const);

/** Returns a name for the parameter of each filter of each column. */
const declaredFilters = ({ columns }: Pick<AwkwardTable, "columns">) =>
  columns.flatMap((column, index) =>
    operatorsOf(column).map((operator) => ({
      column: `source.${column.id}`,
      operator,
      parameter: `${index} ${operator}`,
    })),
  );

/**
 * Returns the rows that match a URL's parameters and a fifth of the other rows, because an API may return rows that do
 * not match.
 */
function passing({ rows, columns }: ApiTable, url: URL): readonly ApiRow[] {
  const tests = [...url.searchParams].flatMap(([name, text]) => {
    const [, index, operator = ""] = /^(\d+) (\S+)$/.exec(name) ?? [];
    const column = columns[Number(index)];
    return column ? [{ column, at: Number(index), operator, text }] : [];
  });
  return rows.filter(
    ({ cells }, row) =>
      row % 5 === 0 ||
      tests.every(({ column, at, operator, text }) => {
        const cell = awkwardCell(cells[at] ?? null, column);
        if (cell === null) return false;
        const valueOf = (given: string) =>
          column.kind === "text"
            ? given
            : awkwardType(column) === "datetime"
              ? Date.parse(given)
              : Number(given);
        const own = typeof cell === "string" ? valueOf(cell) : cell;
        const value = valueOf(text);
        switch (operator) {
          case "in":
            return text.split(",").some((each) => valueOf(each) === own);
          case "<":
            return own < value;
          case "<=":
            return own <= value;
          case ">":
            return own > value;
          case ">=":
            return own >= value;
          default:
            return own === value;
        }
      }),
  );
}

/**
 * Opens an API that serves the tables of a suite. The API's description is in a file, because it changes with the
 * tables, whereas an account does not change.
 */
async function openApi({ dataset, answer, isFiltered }: Paging): Promise<ConnectorEngine> {
  return openServer({ dataset, ...(isFiltered && { isFiltered }) }, (table, url, response) => {
    const all = passing(table, url).map(({ shown }) => shown);
    return JSON.stringify(answer(all, url, response));
  });
}

/** Opens an API that responds with CSV pages. */
function openCsvApi(): Promise<ConnectorEngine> {
  const dataset = { format: "csv", pages: { type: "number", parameter: "page" } };
  return openServer({ dataset, isFiltered: true }, (table, url) => {
    const page = numberOf(url, "page");
    const rows = part(passing(table, url), pageRows * (page - 1)).map(({ cells }) => cells);
    return writeDelimited({ name: "", columns: table.columns, rows }, ",", createRandom(page));
  });
}

async function openServer(
  { dataset, isFiltered }: Omit<Paging, "answer">,
  answer: (table: ApiTable, url: URL, response: ServerResponse) => string,
): Promise<ConnectorEngine> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-rest-")));
  const tables = new Map<string, ApiTable>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://api.test");
    const table = tables.get(url.pathname.slice(1)) ?? { columns: [], rows: [] };
    response.end(answer(table, url, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const plugin = await open({ reach: openReach(folder), timeoutMs: 30_000, sizeBytes: 2 ** 28 });
  const api = join(folder, "api.json");
  return {
    plugin,
    credentials: { host: `http://127.0.0.1:${port}`, properties: { api } },
    limits: { years: [1000, 9999] },
    async fill(table) {
      const id = `t${tables.size}`;
      tables.set(id, {
        columns: table.columns,
        rows: table.rows.map((cells, index) => ({
          shown: { index, ...rowOf(table, cells) },
          cells,
        })),
      });
      const columns = Object.fromEntries(
        table.columns.map((column) => [
          `source.${column.id}`,
          column.kind in declaredType
            ? declaredType[column.kind as keyof typeof declaredType]
            : "number",
        ]),
      );
      const filters = isFiltered && { filters: declaredFilters(table).slice(0, 100) };
      const described = { path: `/${id}`, columns, ...dataset, ...filters };
      writeFileSync(api, JSON.stringify({ datasets: { [id]: described } }));
      return id;
    },
    contents: async () => JSON.stringify([...tables]),
    async close() {
      await plugin.close?.();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function rowOf(table: AwkwardTable, row: AwkwardTable["rows"][number]): object {
  return Object.fromEntries(
    row.map((value, index) => {
      const column = table.columns[index]!;
      const isText = column.kind === "datetime" || column.kind === "date";
      return [`source.${column.id}`, isText ? value : awkwardCell(value, column)];
    }),
  );
}

const tableCount = rounds({ quick: 0.3, deep: 2, soak: 4 });
connectorSuite("connectors/rest with filters and CSV pages", openCsvApi, { tableCount });
for (const [name, paging] of Object.entries(pagings))
  connectorSuite(`connectors/rest with ${name}`, () => openApi(paging), { tableCount });
