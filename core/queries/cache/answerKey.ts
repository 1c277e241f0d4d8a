import { createHash } from "node:crypto";
import type { User } from "../../../plugins/protocol/index.ts";
import type { AnswerKey } from "./answerCache.ts";
import type { QueriedDataset } from "../queriedDataset.ts";
import type { ParsedQuery } from "../parsedQuery.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/**
 * Returns the cache key of an answer: a hash of everything that the answer depends on. The hash covers the secured
 * query with its row filters. For each dataset it covers the source with its credentials, the columns, and the version
 * of the rows. For sources other than the store it also covers the user that plugins receive. Pass `parsed` if the
 * answer contains values that the secured query does not request. Undefined if the answer must not be cached.
 */
export function answerKey(
  secured: SecuredQuery,
  user: User,
  parsed: ParsedQuery | undefined,
): AnswerKey | undefined {
  const isKept = ({ freshness }: QueriedDataset) => freshness.maxAgeMs > 0;
  if (![secured.dataset, ...secured.joined].every(isKept)) return undefined;
  const datasets: QueriedDataset[] = [];
  const text = JSON.stringify([secured, parsed], (_member, value: unknown) => {
    if (isDataset(value)) {
      datasets.push(value);
      return datasetKey(value);
    }
    return plainData(value);
  });
  const maxAgeMs = Math.min(...datasets.map(({ freshness }) => freshness.maxAgeMs));
  if (maxAgeMs <= 0) return undefined;
  const isTold = datasets.some(({ freshness }) => freshness.version === undefined);
  const hash = createHash("sha256").update(text);
  if (isTold) hash.update(JSON.stringify(user, (_member, value: unknown) => plainData(value)));
  return { text: hash.digest("base64"), maxAgeMs };
}

function isDataset(value: unknown): value is QueriedDataset {
  return typeof value === "object" && value !== null && "everyColumn" in value;
}

function datasetKey({ id, connection, source, freshness }: QueriedDataset): unknown {
  return { id, fingerprint: connection.fingerprint, source, version: freshness.version ?? null };
}

/**
 * Prepares a value for JSON. Rejects values that JSON would drop. Distinguishes -0 from 0, both of which JSON writes
 * as 0.
 */
function plainData(value: unknown): unknown {
  if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0)))
    return { number: Object.is(value, -0) ? "-0" : String(value) };
  const isOpaque =
    typeof value === "function" ||
    typeof value === "bigint" ||
    (typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.getPrototypeOf(value) !== Object.prototype &&
      Object.getPrototypeOf(value) !== null);
  if (isOpaque) throw new TypeError("a secured query contains a value that is not plain data");
  return value;
}
