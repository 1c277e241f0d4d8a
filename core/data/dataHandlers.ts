import {
  type ApiCall,
  type Handler,
  type Principal,
  type Connections,
  type Records,
  type Row,
  jsonType,
} from "../contracts/index.ts";
import type { Log } from "../catalog/index.ts";
import { ApiError } from "../errors.ts";
import { inSpan } from "../operations/index.ts";
import type { Outbox } from "../outbox/index.ts";
import type { Queries } from "../queries/index.ts";
import { declarations } from "../resources/index.ts";
import { changeDataset } from "./changeDataset.ts";
import { describePush } from "./describePush.ts";
import { createDataset, type RefuseFilteredColumns, type PushedDataset } from "./createDataset.ts";
import { parsePush } from "./parsePush.ts";

export interface DataHandlersOptions {
  readonly records: Records;
  readonly connections: Connections;
  readonly queries: Queries;
  readonly outbox: Pick<Outbox, "guard">;
  readonly refuseFilteredColumns: RefuseFilteredColumns;
  readonly log: Pick<Log, "warn">;
}

/**
 * Makes the actions of the resource `data`. `create` pushes rows and answers `{count: 1, rows: [dataset with its
 * columns]}`, with `warnings` about columns that could not be told; pushes to one dataset follow each other in the
 * order of their arrival. `validate` names the columns that a `create` would make, and stores nothing. `get` answers
 * data queries, `explain` returns the plan of the answers.
 */
export function dataHandlers({
  records,
  connections,
  queries,
  outbox,
  refuseFilteredColumns,
  log,
}: DataHandlersOptions): {
  readonly create: Handler;
  readonly get: Handler;
  readonly explain: Handler;
  readonly validate: Handler;
} {
  const push = async ({ body, principal, requestId }: ApiCall): Promise<PushedDataset> => {
    const parsed = parsePush(body["properties"]);
    const { userId: id, name, email } = principal;
    // A client that leaves does not stop a push: it is carried out whole.
    const caller = { user: { id, name, email }, signal: new AbortController().signal };
    const written = { records, connections, outbox, refuseFilteredColumns, log };
    const context = { ...written, principal, requestId, caller };
    const { securableId } = parsed;
    if (securableId === undefined) return createDataset(parsed, context);
    return changeDataset(parsed, securableId, context);
  };

  return {
    async create(call) {
      const { securable, columns, warnings } = await inSpan("push", {}, () => push(call));
      const present = (resource: string, row: Row) =>
        withoutWithheld(resource, records.present(resource, row), call.principal);
      const record = {
        ...present("securable", securable),
        columns: columns.map((column) => present("column", column)),
      };
      return { count: 1, rows: [record], ...(warnings.length > 0 && { warnings }) };
    },
    validate: ({ body, principal }) => describePush(body["properties"], principal),
    async get({ body, principal, signal, mediaType = jsonType }) {
      return queries.write(findOf(body), principal, signal, mediaType);
    },
    async explain({ body, principal, signal }) {
      return queries.explain(findOf(body), principal, signal);
    },
  };
}

/** Removes figures over all rows for embed tokens, which may be under filters on rows. */
function withoutWithheld(
  resource: string,
  record: Readonly<Record<string, unknown>>,
  { restriction }: Principal,
): Readonly<Record<string, unknown>> {
  if (!restriction) return record;
  const fields = declarations.get(resource)?.fields;
  return Object.fromEntries(
    Object.entries(record).map(([member, value]) => [
      member,
      fields?.[member]?.withheld ? null : value,
    ]),
  );
}

function findOf({ find }: ApiCall["body"]): unknown {
  if (find !== undefined && find !== null) return find;
  throw new ApiError("MEMBER_MISSING", [
    "find",
    "{queries: [{dimensions, measures, …}]}, or one bare query",
  ]);
}
