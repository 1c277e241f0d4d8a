import { ApiError, type ApiCall } from "../../../base/index.ts";
import { parsePushHead, readObject, type PushHead } from "../parsePush.ts";
import { parseFileSettings, type FileSettings } from "./fileSettings.ts";

/** A call that sends a file, or that continues to send one. Its shape is checked, but not the values of settings. */
export interface Upload extends Omit<PushHead, "data" | "file"> {
  /** The settings for reading the file; undefined if the call has none. */
  readonly settings: FileSettings | undefined;
  /** Size of the whole file; undefined if the client did not state it. */
  readonly sizeBytes: number | undefined;
  /** Number of bytes of the file that earlier calls have sent; undefined if the client did not state it. */
  readonly offset: number | undefined;
  /** Whether the file is only the start of a file. */
  readonly isSample: boolean;
}

/** Returns whether a call sends a file, or asks about the bytes of a file that were received. */
export function isUpload({ body, file }: Pick<ApiCall, "body" | "file">): boolean {
  if (file) return true;
  // A validation with an id but without properties asks how far an upload has progressed.
  if (body.properties === undefined) return typeof body.request_id === "string";
  const properties = readObject<"size_bytes" | "offset">(body.properties, "properties");
  return properties?.size_bytes !== undefined || properties?.offset !== undefined;
}

/**
 * Parses the `properties` of a call that sends a file.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, MEMBER_UNKNOWN
 */
export function parseUpload(given: unknown): Upload {
  const { data, file, ...head } = parsePushHead(given);
  if (data !== undefined && data !== null)
    throw new ApiError("MEMBER_INVALID", [
      "properties.data",
      "the rows come from the file; send either a file or data",
    ]);
  const properties = readObject<"size_bytes" | "offset" | "is_sample">(given, "properties") ?? {};
  const isSample = properties.is_sample ?? false;
  if (typeof isSample !== "boolean")
    throw new ApiError("MEMBER_INVALID", ["properties.is_sample", "it must be true or false"]);
  return {
    ...head,
    settings: parseFileSettings(file),
    sizeBytes: readBytes(properties.size_bytes, "properties.size_bytes"),
    offset: readBytes(properties.offset, "properties.offset"),
    isSample,
  };
}

function readBytes(given: unknown, path: string): number | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === "number" && Number.isSafeInteger(given) && given >= 0) return given;
  throw new ApiError("MEMBER_INVALID", [path, "it must be a number of bytes from 0 on"]);
}
