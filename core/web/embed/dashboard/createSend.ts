import {
  isObject,
  type ItemQuery,
  type QueryAnswer,
  type SendQueries,
} from "../../charts/index.ts";
import { HostError, type CallHost } from "../host/index.ts";

/** Creates the function that sends the queries of an item in one call. Calls reject as `callHost` does. */
export function createSend(callHost: CallHost, signal: AbortSignal): SendQueries {
  return async (queries: readonly ItemQuery[]) => {
    const find = queries.length === 1 ? queries[0] : { queries };
    const answered: unknown = await callHost("data", { action: "get", find }, { signal });
    return (Array.isArray(answered) ? answered : [answered]).map(readAnswer);
  };
}

function readAnswer(answer: unknown): QueryAnswer {
  const { data, warnings, error } = isObject<"data" | "warnings" | "error">(answer) ? answer : {};
  const { code, message } = isObject<"code" | "message">(error) ? error : {};
  const rows: QueryAnswer["rows"] = Array.isArray(data) ? data : [];
  return {
    rows,
    ...(Array.isArray(warnings) && { warnings: warnings.map(String) }),
    ...(error !== undefined && { failure: new HostError(String(message), Number(code)) }),
  };
}
