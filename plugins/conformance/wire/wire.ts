import type { Credentials, Dataset, ProtocolVersion, Query } from "../../protocol/index.ts";
import type { SentRequest } from "../report.ts";
import type { NamedSecret } from "./findSecret.ts";
import { parsed } from "./parsed.ts";
import { sendRequest, type WireAnswer } from "./sendRequest.ts";

/** The address, protocol version and secret of a plugin that listens on HTTP. */
export interface WireTarget {
  /** The plugin's `base_url`. */
  readonly url: string;
  readonly protocolVersion: ProtocolVersion;
  /** The secret that the header X-Secret must contain. Absent: the plugin requires no secret. */
  readonly secret?: string;
}

/** A request of a check. Absent members are taken from the target. */
export interface WireCall extends Partial<SentRequest> {
  readonly path: string;
  /** Replaces the target's secret; null sends no secret. */
  readonly secret?: string | null;
  /** Replaces the target's token. */
  readonly token?: string;
  /** Replaces some of the target's credentials, by id. */
  readonly replaced?: Readonly<Record<string, string>>;
  readonly pauseMs?: number;
  readonly hangUpMs?: number;
}

/** A plugin that is called over HTTP, with the credentials for the calls. */
export interface Wire {
  readonly target: WireTarget;
  readonly isNumbered: boolean;
  readonly datasets: readonly Dataset[];
  /** The dataset with the most rows. */
  readonly largest: Dataset | undefined;
  /** Values that must not appear in answers. */
  readonly secrets: readonly NamedSecret[];
  send(call: WireCall): Promise<WireAnswer>;
  /** Creates the request for all rows, with all columns or with only the columns in `columnIds`. */
  rowsCall(dataset: Dataset, columnIds?: readonly string[]): WireCall & { readonly body: string };
  /** The request for the list of datasets, in the form of the protocol version. */
  readonly datasetsCall: WireCall;
  /** Creates the request for a query, in the form of the protocol version. */
  queryCall(query: Query): WireCall & { readonly body: string };
}

export interface WireOptions {
  readonly target: WireTarget;
  readonly credentials: Credentials;
  readonly datasets: readonly Dataset[];
  readonly largest: Dataset | undefined;
  readonly signal: AbortSignal;
}

/** Milliseconds after which a request of a check is aborted. */
const deadlineMs = 30_000;

/** Creates the requests to a target with its credentials. */
export function createWire({ target, credentials, datasets, largest, signal }: WireOptions): Wire {
  const { secret, protocolVersion } = target;
  const isNumbered = protocolVersion !== "manifold-1";
  const { host, key, token, properties } = credentials;
  const known = { ...(host && { host }), ...(key && { key }), ...(token && { token }) };
  const headersOf = (call: WireCall): Record<string, string> => {
    const own = call.secret === undefined ? secret : call.secret;
    const { token: replacedToken = call.token } = call.replaced ?? {};
    const told = { ...known, ...(replacedToken !== undefined && { token: replacedToken }) };
    return {
      "content-type": "application/json",
      ...(own != null && { "x-secret": own }),
      ...(!isNumbered && { "x-manifold-protocol": "manifold-1" }),
      ...Object.fromEntries(Object.entries(told).map(([id, value]) => [`x-${id}`, value])),
      ...Object.fromEntries(
        Object.entries({ ...told, ...properties, ...call.replaced }).map(([id, value]) => [
          `x-property-${id}`,
          value,
        ]),
      ),
    };
  };
  const wire: Wire = {
    target,
    isNumbered,
    datasets,
    largest,
    secrets: [
      ...(secret === undefined ? [] : [{ name: "the secret", value: secret }]),
      ...(token === undefined ? [] : [{ name: "the token", value: token, id: "token" }]),
      ...Object.entries(properties).map(([id, value]) => ({
        name: `the property ${id}`,
        value,
        id,
      })),
    ],
    send: (call) =>
      sendRequest(target.url, {
        method: call.method ?? "POST",
        path: call.path,
        headers: headersOf(call),
        signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
        ...(call.body !== undefined && { body: call.body }),
        ...(call.pauseMs !== undefined && { pauseMs: call.pauseMs }),
        ...(call.hangUpMs !== undefined && { hangUpMs: call.hangUpMs }),
      }),
    datasetsCall: protocolVersion.startsWith("1.")
      ? { method: "GET", path: "/datasets" }
      : {
          method: "POST",
          path: "/datasets",
          body: isNumbered ? JSON.stringify({ user: {} }) : "{}",
        },
    queryCall: (query) => ({
      method: "POST",
      path: "/query",
      body: JSON.stringify({
        ...query,
        ...(isNumbered && { filters_all: query.filters, user: {} }),
      }),
    }),
    rowsCall({ id, columns }, columnIds = columns.map((column) => column.id)) {
      const chosen = columns.filter((column) => columnIds.includes(column.id));
      return wire.queryCall({
        id,
        columns: chosen.map((column) => ({ column_id: column.id, type: column.type })),
        filters: [],
        options: { pushdown: false },
      });
    },
  };
  return wire;
}

/** Returns the rows of an answer to /query. Undefined if the answer has no rows in a valid form. */
export function rowsIn({
  status,
  body,
  isCut,
}: WireAnswer): readonly (readonly unknown[])[] | undefined {
  if (isCut || status !== 200) return undefined;
  const answer = parsed(body);
  if (Array.isArray(answer)) return answer.every(Array.isArray) ? answer : undefined;
  if (typeof answer !== "object" || answer === null || !("columns" in answer)) return undefined;
  const { columns } = answer;
  if (!Array.isArray(columns)) return undefined;
  const values = columns.map((column: { readonly values?: unknown } | null) => column?.values);
  if (!values.every(Array.isArray)) return undefined;
  const rowCount = "rowCount" in answer ? Number(answer.rowCount) : 0;
  return Array.from({ length: rowCount }, (_, row) => values.map((cells): unknown => cells[row]));
}

/** Returns whether two answers have the same rows in any order. */
export function hasSameRows(
  one: readonly (readonly unknown[])[],
  other: readonly (readonly unknown[])[],
): boolean {
  const keys = (rows: typeof one) => rows.map((row) => JSON.stringify(row)).toSorted();
  const [left, right] = [keys(one), keys(other)];
  return left.length === right.length && left.every((key, at) => key === right[at]);
}
