import { ApiFailure, isList, isRecord } from "../../../api/index.ts";

/** A key and its secret token. */
export interface Pair {
  readonly id: string;
  readonly token: string;
}

/** Runs a data query with a key pair instead of the browser's session. Returns the rows. */
export async function queryAs(
  { id, token }: Pair,
  find: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<readonly (readonly unknown[])[]> {
  const answer = await fetch("/0.1.0/data", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ version: "0.1.0", action: "get", find, key: id, token }),
    credentials: "omit",
    redirect: "error",
    signal,
  });
  const given: unknown = await answer.json();
  const body = isRecord(given) ? given : {};
  if (!answer.ok) throw new ApiFailure(answer.status, body);
  const { data } = body;
  return isList(data) ? data.filter(isList) : [];
}
