import { folderDestination } from "./folderDestination.ts";
import type { BackupDestination } from "./backupDestination.ts";
import { s3Destination } from "./s3Destination.ts";

/**
 * Opens a destination by its address: the path of a folder, or `s3://bucket/prefix`.
 * @throws {Error} if the address has another form, or an environment variable is missing
 */
export function openDestination(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): BackupDestination {
  if (address.startsWith("s3://")) {
    if (!URL.canParse(address) || new URL(address).hostname === "")
      throw new Error(`the destination must be s3://bucket/prefix, not ${JSON.stringify(address)}`);
    return s3Destination(new URL(address), environment);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(address))
    throw new Error(
      `the destination must be a folder or s3://bucket/prefix, not another kind of URL`,
    );
  return folderDestination(address);
}
