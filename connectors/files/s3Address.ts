import { AwsV4Signer } from "aws4fetch";
import { PluginError, type Credentials } from "../../plugins/protocol/index.ts";
import { readWebAddress } from "./findWebFile.ts";
import type { WebPlace } from "./webClient.ts";

/** A bucket of S3, or of a storage that is like it, and the keys below an account's prefix. */
export interface S3Address {
  readonly place: WebPlace;
  /** A key, or the start of keys; empty for the whole bucket. */
  readonly prefix: string;
  /** Returns the address of an object. */
  urlOf(key: string): URL;
  /** Returns the address of the bucket's listing. */
  listUrl(parameters: Readonly<Record<string, string>>): URL;
}

const usualRegion = "us-east-1";

/**
 * Reads `s3://bucket/prefix` of an account, with `endpoint` and `region`. Without `endpoint` it is Amazon's, whose
 * buckets are names of hosts; others have the bucket in the path. Without `identifier` and `token` nothing is signed.
 * @throws {PluginError} PLUGIN_INVALID that names the member
 */
export function readS3Address({ host = "", key, token, properties }: Credentials): S3Address {
  const [, bucket, rest = ""] =
    /^s3:\/\/([A-Za-z0-9][\w.-]{1,253}[A-Za-z0-9])(?:\/(.*))?$/is.exec(host) ?? [];
  if (bucket === undefined)
    throw invalid("host must be s3://bucket, with a prefix or a key after it; it names no bucket");
  const prefix = rest.replace(/^\/+/, "");
  const region = properties["region"] ?? usualRegion;
  if (!/^[a-z0-9-]{1,40}$/i.test(region)) throw invalid("region must be a name such as eu-west-1");
  if ((key === undefined) !== (token === undefined))
    throw invalid(
      "identifier (the access key id) and token (the secret access key) go together; leave both out for a public bucket",
    );
  const base = baseOf(bucket, region, properties["endpoint"]);
  const { secretsFor } =
    key === undefined || token === undefined ? unsigned : signing(key, token, region);
  return {
    place: { secretsFor },
    prefix,
    urlOf: (name) => new URL(`${base.href}${name.split("/").map(encoded).join("/")}`),
    listUrl(parameters) {
      // The listing's address has no slash after the bucket where servers are strict about it.
      const url = new URL(base.pathname === "/" ? base.href : base.href.replace(/\/$/, ""));
      const pairs = Object.entries({ "list-type": "2", ...parameters });
      url.search = pairs.map(([name, value]) => `${name}=${encoded(value)}`).join("&");
      return url;
    },
  };
}

/** Returns the address of a bucket, with a slash at its end. */
function baseOf(bucket: string, region: string, endpoint: string | undefined): URL {
  const domain = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  // A certificate of Amazon's covers no dots in the bucket.
  if (endpoint === undefined && !bucket.includes("."))
    return new URL(`https://${bucket}.${domain}/`);
  const base = readWebAddress(endpoint ?? `https://${domain}`, "endpoint");
  if (base.search) throw invalid("endpoint must be an address without a query");
  base.pathname = `${base.pathname.replace(/\/+$/, "")}/${bucket}/`;
  return base;
}

const unsigned: WebPlace = { secretsFor: async () => ({}) };

/** Signs requests with version 4 of Amazon's signatures; bodies are empty and not signed. */
function signing(accessKeyId: string, secretAccessKey: string, region: string): WebPlace {
  /** The key of a day. */
  const cache = new Map<string, ArrayBuffer>();
  return {
    async secretsFor(url) {
      const signer = new AwsV4Signer({
        url: url.href,
        method: "GET",
        service: "s3",
        accessKeyId,
        secretAccessKey,
        region,
        cache,
      });
      const { headers } = await signer.sign();
      return Object.fromEntries(headers);
    },
  };
}

/** Encodes all but unreserved characters (RFC 3986), as the signature does. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function invalid(detail: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail]);
}
