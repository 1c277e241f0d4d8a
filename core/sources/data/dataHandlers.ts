import {
  type ApiCall,
  ApiError,
  type Connections,
  type Handler,
  inSpan,
  jsonType,
  type Principal,
  type Records,
  type Row,
} from "../../base/index.ts";
import { PluginError, type UpdateCounts } from "../../../plugins/protocol/index.ts";
import type { Log, Outbox, Quotas } from "../../catalog/index.ts";
import type { Queries } from "../../queries/index.ts";
import { declarations } from "../../resources/index.ts";
import { changeDataset, refuseOthers } from "./changeDataset.ts";
import type { Knex } from "knex";
import { describePush } from "./describePush.ts";
import {
  createDataset,
  type PushContext,
  type RefuseFilteredColumns,
  type PushedDataset,
} from "./createDataset.ts";
import { inOrder } from "./matchColumns.ts";
import { type DecodeRows, parsePush, type Push, type RowReading } from "./parsePush.ts";
import { parseUpdate } from "./parseUpdate.ts";
import { type NamedPush, type PushRequests, readRequestId } from "./pushRequests.ts";
import { isUpload, uploadActions, type Uploads } from "./uploads/index.ts";

export interface DataHandlersOptions {
  readonly records: Records;
  readonly connections: Connections;
  readonly queries: Queries;
  readonly outbox: Pick<Outbox, "guard">;
  /**
   * The limits of organizations.
   * @default no limits
   */
  readonly quotas?: Pick<
    Quotas,
    "spend" | "refuseSpent" | "refuseStored" | "recordSize" | "sizeOf"
  >;
  /** Handles pushes with a `request_id`. If absent, calls with a `request_id` are rejected. */
  readonly requests?: PushRequests;
  /** Receives files. If absent, calls that send a file are rejected. */
  readonly uploads?: Uploads;
  readonly refuseFilteredColumns: RefuseFilteredColumns;
  readonly log: Pick<Log, "warn">;
}

interface PushAnswer {
  readonly count: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly warnings?: readonly string[];
  /** What an update did. */
  readonly counts?: UpdateCounts;
}

/**
 * Creates the actions of the resource `data`. `create` pushes rows and returns `{count: 1, rows: [dataset with its
 * columns]}`, with `warnings` about columns whose type is unclear. `update` changes and deletes rows by key, and also
 * returns `counts`. Pushes to the same dataset run one after another, in order of arrival. A call with a `request_id`
 * takes effect once, and returns the same answer for a day. `validate` returns the columns that `create` would add, and
 * stores nothing. `get` answers data queries, and `explain` returns their plans.
 */
export function dataHandlers({
  records,
  connections,
  queries,
  outbox,
  refuseFilteredColumns,
  log,
  quotas,
  requests,
  uploads,
}: DataHandlersOptions): {
  readonly create: Handler;
  readonly get: Handler;
  readonly explain: Handler;
  readonly update: Handler;
  readonly validate: Handler;
} {
  const { store, scratch } = connections;
  const decoder = store.decode ? store : scratch;
  const decodeFor = (principal: Principal): DecodeRows | undefined => {
    if (!decoder.decode) return undefined;
    const { userId: user, organizationId: organization } = principal;
    // Rows are decoded even if the client disconnects, as they are when they are parsed.
    const caller = { tenant: { organization, user }, signal: new AbortController().signal };
    return async (rows) => {
      try {
        return await decoder.decode?.(rows, caller);
      } catch (failure) {
        if (!isThreadFailure(failure)) throw failure;
        log.warn({ err: failure }, "a thread failed while it decoded the rows of a push");
        return undefined;
      }
    };
  };
  const answerOf = (
    { securable, columns, warnings, counts }: PushedDataset,
    principal: Principal,
  ): PushAnswer => {
    const present = (resource: string, row: Row) =>
      withoutWithheld(resource, records.present(resource, row), principal);
    const record = {
      ...present("securable", securable),
      columns: columns.map((column) => present("column", column)),
    };
    return {
      count: 1,
      rows: [record],
      ...(warnings.length > 0 && { warnings }),
      ...(counts && { counts }),
    };
  };
  const pushOnce = async (
    { principal, requestId, address }: ApiCall,
    named: NamedPush | undefined,
    store: (context: PushContext) => Promise<PushedDataset>,
  ): Promise<PushAnswer> => {
    await quotas?.spend(principal.organizationId, "pushes", 1);
    const { userId: id, name, email } = principal;
    // A push is completed even if the client disconnects.
    const caller = { user: { id, name, email }, signal: new AbortController().signal };
    const written = { records, connections, outbox, refuseFilteredColumns, log };
    const context: PushContext = {
      ...written,
      principal,
      requestId,
      address,
      caller,
      quotas,
      ...(named &&
        requests && {
          async claim(id: string, transaction: Knex.Transaction) {
            return { ...named, write: await requests.claim(named, id, transaction) };
          },
          keep: (pushed: PushedDataset, transaction: Knex.Transaction) =>
            requests.keep(named, answerOf(pushed, principal), transaction),
        }),
    };
    return answerOf(await store(context), principal);
  };
  /** Returns a function that returns the answer of a push that was stored although it did not answer. */
  const recallFor =
    ({ principal }: ApiCall) =>
    async (id: string): Promise<PushAnswer> => {
      const found = await records.visible("securable", [id], "own", principal);
      const securable = found.get(id);
      if (!securable) throw new ApiError("RECORD_NOT_FOUND", ["dataset", id]);
      const columns = inOrder(await records.find("column", { securable_id: id }));
      return answerOf({ securable, columns, warnings: [] }, principal);
    };
  const push = async (
    call: ApiCall,
    named: NamedPush | undefined,
    store: (context: PushContext) => Promise<PushedDataset>,
  ): Promise<PushAnswer> => {
    if (!named) return pushOnce(call, named, store);
    if (!requests)
      throw new ApiError("MEMBER_INVALID", [
        "request_id",
        "this host cannot recognize repeated pushes; omit request_id",
      ]);
    return requests.once(named, () => pushOnce(call, named, store), recallFor(call));
  };
  const pushRows = async (
    call: ApiCall,
    parse: (body: ApiCall["body"], reading: RowReading) => Promise<Push>,
  ): Promise<PushAnswer> => {
    const callerId = readRequestId(call.body.request_id);
    // A repeated push counts only once, so its rows are read first. All other pushes count in any case, and rows of a
    // push that will be refused need not be decoded.
    if (callerId === undefined)
      await quotas?.refuseSpent(call.principal.organizationId, "pushes", 1);
    const reading = { decode: decodeFor(call.principal), hasDigest: callerId !== undefined };
    const parsed = await parse(call.body, reading);
    const { authorizationId } = call.principal;
    const named =
      callerId === undefined
        ? undefined
        : { authorizationId, requestId: callerId, digest: await parsed.rows.digest() };
    return push(call, named, async (context) => {
      const { securableId } = parsed;
      const pushed =
        securableId === undefined
          ? await createDataset(parsed, context)
          : await changeDataset(
              {
                ...parsed,
                rowsFor: async (targets) => ({
                  rowCount: parsed.rows.count,
                  columns: await parsed.rows.encode(targets),
                }),
              },
              securableId,
              context,
            );
      parsed.rows.release();
      return pushed;
    });
  };
  const files =
    uploads &&
    uploadActions(uploads, {
      push,
      columnsOf: async (id) => inOrder(await records.find("column", { securable_id: id })),
      owned: ({ principal }, id) =>
        refuseOthers(id, connections.elsewhere?.get(id) ?? store, { records, principal }),
      async find(call, named) {
        const known = await requests?.find(named, recallFor(call));
        return known && { answer: known };
      },
    });
  const ofFile = (call: ApiCall) => {
    if (!isUpload(call)) return undefined;
    if (files) return files;
    throw new ApiError("MEMBER_INVALID", ["file", "this host does not receive files; send data"]);
  };

  return {
    create: (call) =>
      inSpan("push", {}, async () => {
        const ofUpload = ofFile(call);
        if (ofUpload) return ofUpload.create(call);
        return pushRows(call, (body, reading) => parsePush(body.properties, reading));
      }),
    update: (call) => inSpan("push", {}, () => pushRows(call, parseUpdate)),
    async validate(call) {
      const ofUpload = ofFile(call);
      if (ofUpload) return ofUpload.validate(call);
      const { body, principal } = call;
      return describePush(body.properties, principal, decodeFor(principal));
    },
    async get({ body, principal, signal, mediaType = jsonType }) {
      return queries.write(findOf(body), principal, signal, mediaType);
    },
    async explain({ body, principal, signal }) {
      return queries.explain(findOf(body), principal, signal);
    },
  };
}

/**
 * Returns whether a thread crashed or ran out of memory, so that it no longer reads the rows, which can still be
 * parsed. After a timeout, for example, it may still read them.
 */
function isThreadFailure(failure: unknown): boolean {
  return (
    failure instanceof PluginError &&
    (failure.code === "PLUGIN_BUG" || failure.code === "PLUGIN_INVALID")
  );
}

/** Removes statistics over all rows from answers for embed tokens, because row filters may restrict these tokens. */
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
    "{queries: [{dimensions, measures, …}]}, or a single query",
  ]);
}
