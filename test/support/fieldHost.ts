import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** A record in the form of the field's product. */
export type FieldRecord = Readonly<Record<string, unknown>>;

/** Rows of a dataset, each a list of cells in the order of the columns. */
export interface FieldRows {
  readonly columnIds: readonly string[];
  readonly cells: (readonly unknown[])[];
}

/** A host that answers in the forms of the field's product, as its public clients read them. */
export interface FieldHost {
  readonly url: string;
  /** The bodies of all calls, in order. */
  readonly calls: readonly FieldRecord[];
  /** Refuses the next calls with 429 and `Retry-After: 0`. */
  refuseNext(count: number): void;
  /** Answers this many more queries of rows, and closes the connection of all that follow. */
  cutRowsAfter(count: number): void;
  close(): Promise<void>;
}

export interface FieldHostOptions {
  /** Records by resource. Other resources do not exist. */
  readonly records: Readonly<Record<string, readonly FieldRecord[]>>;
  readonly rows: Readonly<Record<string, FieldRows>>;
  /** Names of the associations that may be included. Others are refused. */
  readonly includes: readonly string[];
  /** The most records or rows in one answer, whatever the caller asks for. */
  readonly pageSize: number;
}

interface Include {
  readonly model: string;
  readonly as?: string;
}

interface Find {
  readonly where?: Readonly<Record<string, unknown>>;
  readonly attributes?: readonly string[];
  readonly include?: readonly Include[];
  readonly limit?: number | { readonly by: number; readonly offset?: number };
  readonly offset?: number;
  readonly dimensions?: readonly { readonly column_id: string; readonly dataset_id: string }[];
  readonly measures?: readonly { readonly dataset_id: string }[];
  readonly order?: readonly { readonly column_id: string }[];
}

const order = (one: unknown, other: unknown): number => {
  const [left, right] = [one, other].map((each) => JSON.stringify(each ?? null));
  return left! < right! ? -1 : left === right ? 0 : 1;
};

/** Opens a stand-in of the field's product on loopback. */
export async function openFieldHost(options: FieldHostOptions): Promise<FieldHost> {
  const { records, rows, includes, pageSize } = options;
  const calls: FieldRecord[] = [];
  let refusedCount = 0;
  let cutIn = Infinity;
  const answerRows = ({ dimensions = [], measures = [], limit, order: by = [] }: Find) => {
    if (measures.length > 0) return { data: [[rows[measures[0]!.dataset_id]!.cells.length]] };
    const { columnIds, cells } = rows[dimensions[0]!.dataset_id]!;
    const place = ({ column_id: id }: { readonly column_id: string }) => columnIds.indexOf(id);
    const { by: most = pageSize, offset = 0 } = typeof limit === "object" ? limit : {};
    const inOrder = cells.toSorted((one, other) => {
      for (const each of by) {
        const difference = order(one[place(each)], other[place(each)]);
        if (difference !== 0) return difference;
      }
      return 0;
    });
    const page = inOrder.slice(offset, offset + Math.min(most, pageSize));
    return { data: page.map((row) => dimensions.map((each) => row[place(each)])) };
  };
  const answer = (resource: string, find: Find): readonly [number, unknown] => {
    if (resource === "data") return [200, { cached: false, performance: {}, ...answerRows(find) }];
    const all = records[resource];
    if (!all) return [404, { code: 404, message: "Not found" }];
    const unknown = find.include?.find(({ model, as = model }) => !includes.includes(as));
    if (unknown) return [400, { code: 400, message: `${unknown.model} is not associated` }];
    const missing = find.attributes?.find((name) => all.length > 0 && !(name in all[0]!));
    if (missing !== undefined) return [400, { code: 400, message: `column ${missing} not found` }];
    const { where = {} } = find;
    const found = all.filter((record) =>
      Object.entries(where).every(([member, value]) => record[member] === value),
    );
    const { offset = 0, limit } = find;
    const most = Math.min(typeof limit === "number" ? limit : pageSize, pageSize);
    return [200, { count: found.length, rows: found.slice(offset, offset + most) }];
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString()) as FieldRecord;
    calls.push(body);
    const resource = String(request.url).split("/").at(-1)!;
    const find = (body["find"] ?? {}) as Find;
    if (resource === "data" && (find.dimensions?.length ?? 0) > 0 && cutIn-- <= 0) {
      response.destroy();
      return;
    }
    const [status, value] =
      refusedCount-- > 0 ? [429, { message: "Too many requests" }] : answer(resource, find);
    response
      .writeHead(status, { "Content-Type": "application/json", "Retry-After": "0" })
      .end(JSON.stringify(value));
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    refuseNext: (count) => void (refusedCount = count),
    cutRowsAfter: (count) => void (cutIn = count),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
