import { setImmediate as nextTurn } from "node:timers/promises";
import { PluginError } from "../../plugins/protocol/index.ts";
import { readXml } from "../../plugins/rows/formats/index.ts";
import type { S3Address } from "./s3Address.ts";
import { bytesUpTo, type WebClient } from "./webClient.ts";

/** An object of a bucket. */
export interface S3Object {
  readonly key: string;
  readonly sizeBytes: number;
  /** The object's entity tag, which identifies its version. Includes the quotes. */
  readonly etag?: string;
}

/** Maximum pages of a listing, with 1,000 objects each. */
const mostPages = 100;
const pageBytes = 8 * 2 ** 20;
/** Bytes of a listing to parse before yielding to other work. Parsing them takes a few milliseconds. */
const sliceBytes = 64 * 2 ** 10;

/**
 * Lists the objects whose keys start with a prefix, page by page (ListObjectsV2).
 * @throws {PluginError} PLUGIN_INVALID beyond 100,000 objects, PLUGIN_SOURCE_FAILED for a response that is not a
 * listing
 */
export async function* listS3(
  { place, listUrl }: S3Address,
  prefix: string,
  client: WebClient,
  signal: AbortSignal,
): AsyncGenerator<S3Object> {
  const seen = new Set<string>();
  let token: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const url = listUrl({
      "encoding-type": "url",
      ...(token !== undefined && { "continuation-token": token }),
      prefix,
    });
    const bytes = await client.get({ place, url, signal }, ({ body }) =>
      bytesUpTo(body, pageBytes),
    );
    const { objects, next } = await readListing(bytes, url.host);
    yield* objects;
    if (next === undefined) return;
    if (seen.has(next)) throw noListing(url.host);
    seen.add(next);
    token = next;
  }
  throw new PluginError("PLUGIN_INVALID", [
    `host names a prefix with more than ${mostPages * 1000} objects; name a longer prefix`,
  ]);
}

interface Listing {
  readonly objects: readonly S3Object[];
  /** Token of the next page; undefined after the last page. */
  readonly next: string | undefined;
}

async function readListing(bytes: Uint8Array, host: string): Promise<Listing> {
  const objects: S3Object[] = [];
  const path: string[] = [];
  const members = new Map<string, string>();
  const own = new Map<string, string>();
  let text = "";
  const close = () => {
    const [root, parent, member] = path;
    const isMember = path.length === 3 && parent === "Contents" && member !== undefined;
    if (isMember) members.set(member, text);
    if (path.length === 2 && parent === "Contents") {
      objects.push(objectOf(members, host));
      members.clear();
    } else if (path.length === 2 && parent !== undefined && root === "ListBucketResult")
      own.set(parent, text);
    path.pop();
    text = "";
  };
  const parts = (async function* () {
    for (let from = 0; from < bytes.length; from += sliceBytes) {
      yield bytes.subarray(from, from + sliceBytes);
      await nextTurn();
    }
  })();
  const handlers = {
    open(name: string) {
      path.push(name);
      text = "";
    },
    text: (part: string) => void (text += part),
    close,
  };
  try {
    for await (const _ of readXml(parts, handlers)) continue;
  } catch (cause) {
    throw noListing(host, { cause });
  }
  const isTruncated = own.get("IsTruncated");
  const next = own.get("NextContinuationToken");
  if (isTruncated === undefined || (isTruncated === "true" && !next)) throw noListing(host);
  return { objects, next: isTruncated === "true" ? next : undefined };
}

function objectOf(members: ReadonlyMap<string, string>, host: string): S3Object {
  const key = members.get("Key");
  const size = members.get("Size");
  const etag = members.get("ETag")?.replace(/^"|"$/g, "");
  if (key === undefined || size === undefined || !/^\d{1,15}$/.test(size)) throw noListing(host);
  return {
    key: decodedKey(key, host),
    sizeBytes: Number(size),
    ...(etag && { etag: `"${etag}"` }),
  };
}

/** Returns a decoded key. Listings contain keys in URL encoding, because XML cannot represent some characters. */
function decodedKey(key: string, host: string): string {
  try {
    return decodeURIComponent(key.replaceAll("+", " "));
  } catch (cause) {
    throw noListing(host, { cause });
  }
}

function noListing(host: string, options?: ErrorOptions): PluginError {
  return new PluginError(
    "PLUGIN_SOURCE_FAILED",
    [`${host} did not return an S3 listing; endpoint must be the address of its S3 API`],
    options,
  );
}
