import { folderPlace } from "./folderPlace.ts";
import type { Place } from "./place.ts";
import { s3Place } from "./s3Place.ts";

/**
 * Opens a destination by its address: a folder, or `s3://bucket/prefix`.
 * @throws {Error} if the address is of another kind, or a variable is missing
 */
export function openPlace(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): Place {
  if (address.startsWith("s3://")) {
    if (!URL.canParse(address) || new URL(address).hostname === "")
      throw new Error(`the destination must be s3://bucket/prefix, not ${JSON.stringify(address)}`);
    return s3Place(new URL(address), environment);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(address))
    throw new Error(
      `the destination must be a folder or s3://bucket/prefix, not another kind of URL`,
    );
  return folderPlace(address);
}
