import type { Capabilities } from "../../protocol/index.ts";
import type { Finding } from "../report.ts";
import type { WireAnswer } from "./sendRequest.ts";
import { parsed, type Wire, type WireCall } from "./wire.ts";

/** Matches stack frames of JavaScript, Python, Java or Go. */
const stack =
  /\n\s+at .+[:(]\d+|\(\/[^)\s]+:\d+:\d+\)|Traceback \(most recent call|File "[^"]+", line \d+|goroutine \d+ \[/;

/** A credential that no source contains, so that its occurrence in an answer proves a leak. */
const canary = "canary-7d41f0c2b9";

interface Mistake {
  readonly what: string;
  readonly call: WireCall;
  /** The HTTP statuses with which a plugin may refuse the mistake. */
  readonly statuses: readonly number[];
}

/**
 * Sends requests with typical mistakes of a caller and checks how the plugin refuses them. It must use a 4xx status and
 * the protocol's form, without a stack trace or a secret. Plugins of the numbered versions may refuse in any form.
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
      if (wrong) fail(`refuses ${what} in a form other than the protocol's: ${wrong}`);
    }
    if (stack.test(stackText(answer))) fail("shows a stack trace in an error");
    if (secretsIn(answer, [...wire.secrets, canary])) fail("shows a secret in an error");
  }
  return findings;
}

/** Returns whether an answer contains one of the secrets, in its body or its headers. */
export function secretsIn({ body, headers }: WireAnswer, secrets: readonly string[]): boolean {
  const text = `${body}\n${JSON.stringify(headers)}`;
  return secrets.some(
    (secret) => text.includes(secret) || body.includes(encodeURIComponent(secret)),
  );
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
      call: { ...unknown, token: canary },
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

/** Returns the body of an answer. In a JSON body, escaped line breaks are unescaped. */
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
