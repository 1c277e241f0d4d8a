import type { Capabilities } from "../../protocol/index.ts";
import type { Finding } from "../report.ts";
import { findSecret, type NamedSecret } from "./findSecret.ts";
import type { WireAnswer } from "./sendRequest.ts";
import { parsed } from "./parsed.ts";
import type { Wire, WireCall } from "./wire.ts";

/** Matches stack frames of JavaScript, Python, Java or Go. */
const stack =
  /\n\s+at .+[:(]\d+|\(\/[^)\s]+:\d+:\d+\)|Traceback \(most recent call|File "[^"]+", line \d+|goroutine \d+ \[/;

/** A credential that no source contains. If it occurs in an answer, the plugin leaks credentials. */
const canary: NamedSecret = { name: "the token", value: "canary-7d41f0c2b9", id: "token" };

interface Mistake {
  readonly what: string;
  readonly call: WireCall;
  /** The HTTP statuses with which a plugin may respond to the mistake. */
  readonly statuses: readonly number[];
}

/**
 * Sends requests with typical mistakes of a caller and checks how the plugin refuses them. The plugin must answer with
 * a 4xx status in the protocol's form, without a stack trace or a secret. Plugins of the numbered protocol versions may
 * use any form.
 */
export async function errorFindings(
  wire: Wire,
  capabilities: Capabilities,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { what, call, statuses } of mistakesOf(wire, capabilities)) {
    const answer = await wire.send(call);
    const { method = "POST", path, body } = call;
    const request = { method, path, ...(body !== undefined && { body }) };
    const fail = (does: string) => findings.push({ does, request });
    if (answer.status < 400) fail(`answers ${what} with ${answer.status}`);
    else if (!wire.isNumbered) {
      if (!statuses.includes(answer.status))
        fail(`refuses ${what} with ${answer.status}, not ${statuses.join(" or ")}`);
      const wrong = wrongForm(answer);
      if (wrong) fail(`refuses ${what} in a form that does not follow the protocol: ${wrong}`);
    }
    if (stack.test(stackText(answer))) fail("shows a stack trace in an error");
    const shown = await shownSecret(wire, call, answer);
    if (shown !== undefined && !findings.some(({ does }) => does === shown)) fail(shown);
  }
  return findings;
}

/**
 * Describes a secret in the answer to a call. Undefined if the answer contains no secret, or if it contains the same
 * word with any credentials.
 */
export async function shownSecret(
  wire: Wire,
  call: WireCall,
  answer: WireAnswer,
): Promise<string | undefined> {
  const found = findSecret(answer, [...wire.secrets, canary]);
  if (!found) return undefined;
  const { secret, place, shown } = found;
  if (secret.id !== undefined && secret !== canary) {
    const other = await wire.send({ ...call, replaced: { [secret.id]: "another-value-5e0c" } });
    if (findSecret(other, [secret])?.place === place) return undefined;
  }
  return `shows ${secret.name} in an error: ${place} is ${JSON.stringify(shown)}`;
}

function mistakesOf(wire: Wire, { projection }: Capabilities): readonly Mistake[] {
  const { isNumbered, largest } = wire;
  const unknown = wire.queryCall({
    id: "no such dataset",
    columns: [{ column_id: "no such column" }],
    filters: [],
    options: { pushdown: false },
  });
  const mistakes: Mistake[] = [
    {
      what: "a query of a dataset that does not exist",
      call: { ...unknown, token: canary.value },
      statuses: [401, 403, 404, 422],
    },
    { what: "a query of a dataset that does not exist", call: unknown, statuses: [404, 422] },
  ];
  if (isNumbered) return mistakes;
  if (largest && projection)
    mistakes.push({
      what: "a query of a column that does not exist",
      call: wire.queryCall({
        id: largest.id,
        columns: [{ column_id: "no such column" }],
        filters: [],
        options: { pushdown: false },
      }),
      statuses: [400, 422],
    });
  mistakes.push(
    { what: "a body that is not JSON", call: { path: "/query", body: "{" }, statuses: [400] },
    { what: "a query without members", call: { path: "/query", body: "{}" }, statuses: [400, 422] },
    {
      what: "an unknown path",
      call: { method: "GET", path: "/no-such-path" },
      statuses: [404],
    },
  );
  return mistakes;
}

/** Returns the body of an answer. In a JSON body, replaces escaped line breaks by line breaks. */
function stackText({ body }: WireAnswer): string {
  const value = parsed(body);
  return value === undefined ? body : body.replaceAll("\\n", "\n");
}

function wrongForm({ status, body }: WireAnswer): string | undefined {
  const value = parsed(body);
  if (typeof value !== "object" || value === null) return "the body is not a JSON object";
  const { type, message }: { readonly type?: unknown; readonly message?: unknown } = value;
  if (typeof message !== "string") return "message is not a string";
  if (typeof type !== "object" || type === null || !("code" in type) || type.code !== status)
    return "type.code differs from the status";
  return undefined;
}
