import type { Capabilities, Query } from "../../protocol/index.ts";
import type { Random } from "../createRandom.ts";
import type { Finding, SentRequest } from "../report.ts";
import { errorFindings, shownSecret } from "./errorFindings.ts";
import type { WireAnswer } from "./sendRequest.ts";
import { parsed } from "./parsed.ts";
import { hasSameRows, rowsIn, type Wire, type WireCall } from "./wire.ts";

/** A check of a plugin's behavior on the wire. It does not check the values of cells. */
export interface WireCheck {
  /** Name in the report, such as `wire.errors`. */
  readonly path: string;
  /** Runs the check and returns its findings. Undefined if the check does not apply. */
  run(wire: Wire, facts: WireFacts): Promise<readonly Finding[] | undefined>;
}

export interface WireFacts {
  readonly capabilities: Capabilities;
  readonly random: Random;
}

const callers = 8;
/** Milliseconds within which a plugin must answer the next caller after other callers have disconnected. */
const recoverMs = 10_000;

/** The checks, in the order of the report. */
export const wireChecks: readonly WireCheck[] = [
  { path: "wire.protocol", run: checkProtocol },
  { path: "wire.errors", run: (wire, { capabilities }) => errorFindings(wire, capabilities) },
  { path: "wire.secrets", run: checkSecrets },
  { path: "wire.limits", run: checkLimits },
  { path: "wire.wholeAnswers", run: checkWhole },
  { path: "wire.determinism", run: checkDeterminism },
  { path: "wire.concurrency", run: checkConcurrency },
  { path: "wire.hangUp", run: checkHangUp },
];

const sentOf = ({ method = "POST", path, body }: WireCall): SentRequest => ({
  method,
  path,
  ...(body !== undefined && body.length < 4000 && { body }),
});

async function checkProtocol(wire: Wire): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const fail = (does: string, call: WireCall) => findings.push({ does, request: sentOf(call) });
  const listed = await wire.send(wire.datasetsCall);
  if (listed.status !== 200 || !Array.isArray(parsed(listed.body)))
    fail("does not return a JSON array of datasets with status 200", wire.datasetsCall);
  if (!wire.largest) return findings;
  const call = wire.rowsCall(wire.largest);
  const answer = await wire.send(call);
  const body = parsed(answer.body);
  if (!rowsIn(answer)) fail("does not return rows with status 200", call);
  else if (wire.isNumbered && !Array.isArray(body)) fail("does not return an array of rows", call);
  else if (!wire.isNumbered && Array.isArray(body))
    fail("ignores the header X-Manifold-Protocol: it returns rows, not columns", call);
  return findings;
}

async function checkSecrets(wire: Wire): Promise<readonly Finding[] | undefined> {
  const { secret } = wire.target;
  if (secret === undefined) return undefined;
  const findings: Finding[] = [];
  const calls = [wire.datasetsCall, ...(wire.largest ? [wire.rowsCall(wire.largest)] : [])];
  for (const call of calls)
    for (const [given, word] of [
      [null, "without a secret"],
      [`${secret.slice(0, -1)}${secret.endsWith("x") ? "y" : "x"}`, "with a wrong secret"],
      ["", "with an empty secret"],
    ] as const) {
      const answer = await wire.send({ ...call, secret: given });
      const request = sentOf(call);
      if (answer.status < 400) findings.push({ does: `answers ${word}`, request });
      else if (!wire.isNumbered && answer.status !== 401 && answer.status !== 403)
        findings.push({ does: `answers ${answer.status} ${word}, not 401 or 403`, request });
      const shown = await shownSecret(wire, call, answer);
      if (shown !== undefined && !findings.some(({ does }) => does === shown))
        findings.push({ does: shown, request });
    }
  return findings;
}

/**
 * Sends requests of the maximum size that a host may send. The plugin may answer or refuse these requests, but must not
 * fail.
 */
async function checkLimits(
  wire: Wire,
  { capabilities }: WireFacts,
): Promise<readonly Finding[] | undefined> {
  const { largest } = wire;
  if (wire.isNumbered || !largest) return undefined;
  const plain: Query = {
    id: largest.id,
    columns: largest.columns.map(({ id }) => ({ column_id: id })),
    filters: [],
    options: { pushdown: false },
  };
  const findings: Finding[] = [];
  const [column] = largest.columns;
  const test = { column_id: column?.id ?? "", expression: "is not null" };
  const depth = 20_000;
  const deep = `${'{"and":['.repeat(depth)}${JSON.stringify(test)}${"]}".repeat(depth)}`;
  const { body } = wire.queryCall(plain);
  const nested = {
    ...wire.queryCall(plain),
    body: body.replace('"filters":[]', `"filters":[${deep}]`),
  };
  const refused = await wire.send(nested);
  if (refused.status >= 500 && refused.status !== 501)
    findings.push({ does: `fails with ${refused.status} on filters nested ${depth} groups deep` });
  const text = largest.columns.find(
    ({ type, narrowed }) =>
      capabilities.filters?.operators.in?.includes(type) && narrowed?.filters?.in === undefined,
  );
  const { listLength = 5000 } = capabilities.filters ?? {};
  if (text) {
    const value = Array.from({ length: Math.min(listLength, 5000) }, (_, at) =>
      text.type === "hierarchy"
        ? `value ${at}`
        : text.type === "numeric"
          ? at
          : new Date(at * 1000).toISOString(),
    );
    const long = wire.queryCall({
      ...plain,
      filters: [{ column_id: text.id, expression: "in", value }],
    });
    const answer = await wire.send(long);
    if (!rowsIn(answer))
      findings.push({
        does: `fails with ${answer.status} on a list of ${value.length} values, which it promises to accept`,
      });
  }
  if ((await wire.send(wire.datasetsCall)).status !== 200)
    findings.push({ does: "stops responding after a request at the limits" });
  return findings;
}

/** Checks that a long answer is complete even if the client reads slowly. */
async function checkWhole(wire: Wire): Promise<readonly Finding[] | undefined> {
  if (!wire.largest) return undefined;
  const call = wire.rowsCall(wire.largest);
  const fast = await wire.send(call);
  const slow = await wire.send({ ...call, pauseMs: 2 });
  const request = sentOf(call);
  if (fast.isCut || slow.isCut) return [{ does: "truncates its answers", request }];
  if (parsed(fast.body) === undefined) return [{ does: "returns incomplete JSON", request }];
  const [one, other] = [rowsIn(fast), rowsIn(slow)];
  return one && other && !hasSameRows(one, other)
    ? [{ does: "returns different rows to a slow reader", request }]
    : [];
}

async function checkDeterminism(wire: Wire): Promise<readonly Finding[] | undefined> {
  if (!wire.largest) return undefined;
  const call = wire.rowsCall(wire.largest);
  const answers = [await wire.send(call), await wire.send(call), await wire.send(call)];
  const [first, ...others] = answers.map(rowsIn);
  const isSame = others.every((rows) => first && rows && hasSameRows(first, rows));
  return isSame
    ? []
    : [{ does: "returns different rows for the same query", request: sentOf(call) }];
}

/**
 * Sends different queries concurrently. Compares each answer with the plugin's answer to the same query when it is the
 * only query.
 */
async function checkConcurrency(
  wire: Wire,
  { random }: WireFacts,
): Promise<readonly Finding[] | undefined> {
  const calls = wire.datasets.flatMap((dataset) => [
    wire.rowsCall(dataset),
    ...dataset.columns.map(({ id }) => wire.rowsCall(dataset, [id])),
  ]);
  if (calls.length === 0) return undefined;
  const chosen = Array.from({ length: callers }, () => random.pick(calls));
  const alone: (readonly (readonly unknown[])[] | undefined)[] = [];
  for (const call of chosen) alone.push(rowsIn(await wire.send(call)));
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(chosen.map((call) => answered(wire, call)));
    for (const [at, answer] of answers.entries()) {
      const own = alone[at];
      const rows = answer && rowsIn(answer);
      if (!own || (rows && hasSameRows(rows, own))) continue;
      const request = sentOf(chosen[at] ?? wire.datasetsCall);
      const isOther = rows && alone.some((other) => other && hasSameRows(other, rows));
      if (isOther) return [{ does: "returns the answer of another caller", request }];
      if (answer?.status === 429) continue;
      const what = rows
        ? "returns wrong rows"
        : `fails with ${answer?.status ?? "a closed connection"}`;
      return [{ does: `${what} when ${callers} callers query it concurrently`, request }];
    }
  }
  return [];
}

const answered = (wire: Wire, call: WireCall): Promise<WireAnswer | undefined> =>
  wire.send(call).catch(() => undefined);

/** Checks that a caller gets the right answer after other callers have disconnected. */
async function checkHangUp(wire: Wire): Promise<readonly Finding[] | undefined> {
  if (!wire.largest) return undefined;
  const call = wire.rowsCall(wire.largest);
  const before = rowsIn(await wire.send(call));
  await Promise.all(
    Array.from({ length: callers }, (_, at) => wire.send({ ...call, hangUpMs: at * 5 })),
  );
  const startMs = performance.now();
  const after = await answered(wire, call);
  const request = sentOf(call);
  if (!after) return [{ does: "stops responding after callers have disconnected", request }];
  const rows = rowsIn(after);
  if (before && !(rows && hasSameRows(rows, before)))
    return [{ does: "returns wrong rows after callers have disconnected", request }];
  return performance.now() - startMs > recoverMs
    ? [{ does: `continues ${callers} calls after their callers have disconnected`, request }]
    : [];
}
