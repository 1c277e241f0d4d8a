import type { JsonScanLimits } from "./jsonScan.ts";

/** The limits of a body before it is parsed. */
export interface BodyLimits extends JsonScanLimits {
  /** Bytes, counted after unpacking. */
  readonly sizeBytes: number;
}

const mebibyte = 2 ** 20;

/** The most that one text may take: a picture in a dashboard, a long cell. */
const textBytes = 4 * mebibyte;
const depth = 64;

/** Limits by resource: rows are large, the contents of dashboards and the labels of a hierarchy are some MiB. */
const byResource: Readonly<Record<string, BodyLimits>> = {
  data: { sizeBytes: 64 * mebibyte, valueCount: 4 * 2 ** 20, textBytes, depth },
  securable: { sizeBytes: 8 * mebibyte, valueCount: 512 * 2 ** 10, textBytes, depth },
  hierarchy: { sizeBytes: 8 * mebibyte, valueCount: 512 * 2 ** 10, textBytes, depth },
};
const usual = { sizeBytes: mebibyte, valueCount: 64 * 2 ** 10, textBytes, depth };

export const signInLimits: BodyLimits = {
  sizeBytes: 16 * 2 ** 10,
  valueCount: 100,
  textBytes,
  depth: 8,
};

/** Returns the limits of bodies that are sent to a resource. */
export function bodyLimitsOf(resource: string): BodyLimits {
  return (Object.hasOwn(byResource, resource) && byResource[resource]) || usual;
}
