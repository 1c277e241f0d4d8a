import type { CheckedTarget } from "./checkedTarget.ts";
import type { Finding } from "../report.ts";

/** Maximum length of a request body that a command contains. Terminals and shells limit the length of a command. */
const mostCharacters = 8000;

/**
 * Writes the request of a finding as a curl command. The command refers to the secret and the credentials by shell
 * variables, so it never contains their values. A body that is too long for a command is replaced by a remark.
 * Undefined for a finding without a request or query.
 */
export function curlOf(
  { request, query }: Finding,
  { url, protocolVersion, hasSecret, credentialIds }: CheckedTarget,
): string | undefined {
  const body = request ? request.body : query && JSON.stringify(query);
  if (!request && !query) return undefined;
  if (body !== undefined && body.length > mostCharacters)
    return `the body of the request has ${body.length} characters; the report in JSON contains the query`;
  const { method, path } = request ?? { method: "POST", path: "/query" };
  const isOwn = protocolVersion === "manifold-1";
  const headers = [
    ...(body === undefined ? [] : [quoted("Content-Type: application/json")]),
    ...(isOwn ? [quoted("X-Manifold-Protocol: manifold-1")] : []),
    ...(hasSecret ? ['"X-Secret: $PLUGIN_SECRET"'] : []),
    ...credentialIds.map(
      (id) => `"X-Property-${id}: $PLUGIN_${id.toUpperCase().replaceAll(/\W/g, "_")}"`,
    ),
  ];
  return [
    `curl -s -X ${method} ${quoted(`${url}${path}`)}`,
    ...headers.map((header) => `-H ${header}`),
    ...(body === undefined ? [] : [`--data ${quoted(body)}`]),
  ].join(" \\\n  ");
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
