import { hash } from "node:crypto";
import type { User } from "../../../plugins/protocol/index.ts";
import type { AnswerKey } from "./answerCache.ts";
import type { QueriedDataset } from "../queriedDataset.ts";
import type { ParsedQuery } from "../parsedQuery.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/** The part of a cache key that stays the same when only the rows of the datasets change. */
export interface AnswerShape {
  readonly hash: string;
  /** The datasets that the answer depends on, in the order in which the query names them. */
  readonly datasets: readonly QueriedDataset[];
}

/**
 * Hashes everything that an answer depends on, except for the rows. The hash covers the secured query with its row
 * filters, and for each dataset the source with its credentials and columns. Pass `parsed` if the answer contains
 * values that the secured query does not request. O(size of the query).
 */
export function answerShape(secured: SecuredQuery, parsed: ParsedQuery | undefined): AnswerShape {
  const datasets: QueriedDataset[] = [];
  const text = JSON.stringify([secured, parsed], (_member, value: unknown) => {
    if (isDataset(value)) {
      datasets.push(value);
      return datasetKey(value);
    }
    return plainData(value);
  });
  return { hash: hash("sha256", text, "base64"), datasets };
}

/**
 * Returns the cache key of an answer: the hash of its query and the versions of the rows. For sources other than the
 * store, the key also covers the user that plugins receive. Undefined if the answer must not be cached. `shapeOf` is
 * called only for other answers.
 */
export function answerKey(
  { dataset, joined }: SecuredQuery,
  user: User,
  shapeOf: () => AnswerShape,
): AnswerKey | undefined {
  const isKept = ({ freshness }: QueriedDataset) => freshness.maxAgeMs > 0;
  if (!isKept(dataset) || !joined.every(isKept)) return undefined;
  const { hash: shape, datasets } = shapeOf();
  const maxAgeMs = Math.min(...datasets.map(({ freshness }) => freshness.maxAgeMs));
  if (maxAgeMs <= 0) return undefined;
  const versions = datasets.map(({ freshness }) => freshness.version ?? "");
  const isTold = datasets.some(({ freshness }) => freshness.version === undefined);
  const told = isTold ? [hash("sha256", JSON.stringify(user, plainMember), "base64")] : [];
  return { text: [shape, ...versions, ...told].join(" "), maxAgeMs };
}

function plainMember(_member: string, value: unknown): unknown {
  return plainData(value);
}

function isDataset(value: unknown): value is QueriedDataset {
  return typeof value === "object" && value !== null && "everyColumn" in value;
}

function datasetKey({ id, connection, source }: QueriedDataset): unknown {
  return { id, fingerprint: connection.fingerprint, source };
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
