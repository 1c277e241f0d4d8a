import { isRestricted, permits } from "../../identity/index.ts";
import type { Principal } from "../../base/index.ts";
import type { JsonScanLimits } from "./jsonScan.ts";

/** The limits that are checked before a body is parsed. */
export interface BodyLimits extends JsonScanLimits {
  /** Maximum bytes after decompression. */
  readonly sizeBytes: number;
}

const mebibyte = 2 ** 20;

/** Maximum bytes of one string, such as a picture in a dashboard or a long cell. */
const textBytes = 4 * mebibyte;
const depth = 64;

/** The limits for writes. Dashboard contents and hierarchy labels need some MiB, and rows need more. */
const ofWrites: Readonly<Record<string, BodyLimits>> = {
  data: { sizeBytes: 64 * mebibyte, valueCount: 4 * 2 ** 20, textBytes, depth },
  securable: { sizeBytes: 8 * mebibyte, valueCount: 512 * 2 ** 10, textBytes, depth },
  hierarchy: { sizeBytes: 8 * mebibyte, valueCount: 512 * 2 ** 10, textBytes, depth },
};
/** The limits for queries by programs. They may list many values, of about 20 bytes each. */
const ofQueries: BodyLimits = { sizeBytes: 16 * mebibyte, valueCount: 2 ** 20, textBytes, depth };
/**
 * Limits that suffice for the queries of a dashboard. A query takes 1 to 5 KiB, plus 40 bytes for each value that a
 * reader selects in a filter. 100 queries with 200 selected values each take 0.9 MiB.
 */
const usual: BodyLimits = { sizeBytes: mebibyte, valueCount: 64 * 2 ** 10, textBytes, depth };
/** Actions whose bodies may contain data to store. */
const writes: readonly string[] = ["create", "update", "validate"];

export const signInLimits: BodyLimits = {
  sizeBytes: 16 * 2 ** 10,
  valueCount: 100,
  textBytes,
  depth: 8,
};

/** What is known about a call while its body arrives. */
export interface BodySender {
  readonly resource: string;
  /** The caller; absent until key and token have arrived. */
  readonly principal?: Principal | undefined;
  /** The action of the call; absent until the action has arrived. */
  readonly action?: string | null | undefined;
}

/** The limits of a body, and the name of these limits for messages. */
export interface SenderLimits extends BodyLimits {
  readonly target: string;
}

/** Returns the largest limits that apply to any body sent to a resource. */
export function bodyLimitsOf(resource: string): BodyLimits {
  return (Object.hasOwn(ofWrites, resource) && ofWrites[resource]) || usual;
}

/**
 * Returns the limits for what is known about the sender of a body. Until key and token have arrived, a body may be
 * large only if it named a writing action. All SDKs send the action before the properties.
 */
export function senderLimitsOf({ resource, principal, action }: BodySender): SenderLimits {
  const largest = bodyLimitsOf(resource);
  if (largest === usual) return { ...usual, target: resource };
  const isRead = typeof action === "string" && !writes.includes(action);
  if (!principal) {
    if (typeof action === "string" && !isRead) return { ...largest, target: resource };
    const target = `${resource} (before key and token have arrived: send action, key and token before all other members)`;
    return { ...usual, target };
  }
  const mayWrite = permits(principal, resource, "create") || permits(principal, resource, "update");
  if (!isRead && mayWrite) return { ...largest, target: resource };
  const { authorizationType: type } = principal;
  if (isRestricted(type))
    return {
      ...usual,
      target: `${resource} (from a token of type ${type}: send fewer or shorter filters)`,
    };
  if (resource !== "data") return { ...usual, target: `${action} ${resource}` };
  return { ...ofQueries, target: `${action} data` };
}
