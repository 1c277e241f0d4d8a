import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "../../../connectors/rest/index.ts";
import { awkwardCell, type AwkwardTable } from "../../support/awkward.ts";
import { rounds } from "../../support/layer.ts";
import { openReach } from "../../support/openReach.ts";
import { connectorSuite, type ConnectorEngine } from "../connectorSuite.ts";

const pageRows = 40;

/** A way of paging: its description, and an answer with the rows of a page. */
interface Paging {
  readonly dataset: object;
  answer(all: readonly object[], url: URL, response: ServerResponse): unknown;
}

const part = (all: readonly object[], from: number) => all.slice(from, from + pageRows);
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

/** Opens an API with the tables of a suite; its description is a file, since accounts do not change. */
async function openApi({ dataset, answer }: Paging): Promise<ConnectorEngine> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-rest-")));
  const tables = new Map<string, readonly object[]>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://api.test");
    const all = tables.get(url.pathname.slice(1)) ?? [];
    response.end(JSON.stringify(answer(all, url, response)));
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
      tables.set(
        id,
        table.rows.map((row, index) => ({ index, ...rowOf(table, row) })),
      );
      const columns = Object.fromEntries(
        table.columns.map((column) => [
          `source.${column.id}`,
          column.kind in declaredType
            ? declaredType[column.kind as keyof typeof declaredType]
            : "number",
        ]),
      );
      const described = { path: `/${id}`, columns, ...dataset };
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

for (const [name, paging] of Object.entries(pagings))
  connectorSuite(`connectors/rest with ${name}`, () => openApi(paging), {
    tableCount: rounds({ quick: 0.3, deep: 4 }),
  });
