import { AwsV4Signer } from "aws4fetch";
import { PluginError, type Credentials } from "../../plugins/protocol/index.ts";
import { readWebAddress } from "./findWebFile.ts";
import type { WebPlace } from "./webClient.ts";

/** A bucket in S3 or in a compatible storage, and the prefix of the keys that an account reads. */
export interface S3Address {
  readonly place: WebPlace;
  /** A key or a prefix of keys; empty for the whole bucket. */
  readonly prefix: string;
  /** Returns the URL of an object. */
  urlOf(key: string): URL;
  /** Returns the URL of the bucket's listing. */
  listUrl(parameters: Readonly<Record<string, string>>): URL;
}

const usualRegion = "us-east-1";

/**
 * Parses an account's `s3://bucket/prefix`, `endpoint` and `region`. Without `endpoint`, the bucket is Amazon's, and
 * its name becomes part of the host name. With `endpoint`, the bucket's name becomes part of the path. Requests are
 * signed only if the account has `identifier` and `token`.
 * @throws {PluginError} PLUGIN_INVALID naming the member
 */
export function readS3Address({ host = "", key, token, properties }: Credentials): S3Address {
  const [, bucket, rest = ""] =
    /^s3:\/\/([A-Za-z0-9][\w.-]{1,253}[A-Za-z0-9])(?:\/(.*))?$/is.exec(host) ?? [];
  if (bucket === undefined)
    throw invalid("host must name a bucket: s3://bucket, optionally followed by a prefix or a key");
  const prefix = rest.replace(/^\/+/, "");
  const region = properties["region"] ?? usualRegion;
  if (!/^[a-z0-9-]{1,40}$/i.test(region)) throw invalid("region must be a name such as eu-west-1");
  if ((key === undefined) !== (token === undefined))
    throw invalid(
      "identifier (the access key ID) and token (the secret access key) must be set together; leave both out for a public bucket",
    );
  const base = baseOf(bucket, region, properties["endpoint"]);
  const { secretsFor } =
    key === undefined || token === undefined ? unsigned : signing(key, token, region);
  return {
    place: { secretsFor },
    prefix,
    urlOf: (name) => new URL(`${base.href}${name.split("/").map(encoded).join("/")}`),
    listUrl(parameters) {
      // Some servers refuse a slash after the bucket in the URL of a listing.
      const url = new URL(base.pathname === "/" ? base.href : base.href.replace(/\/$/, ""));
      const pairs = Object.entries({ "list-type": "2", ...parameters });
      url.search = pairs.map(([name, value]) => `${name}=${encoded(value)}`).join("&");
      return url;
    },
  };
}

/** Returns the URL of a bucket, with a slash at the end. */
function baseOf(bucket: string, region: string, endpoint: string | undefined): URL {
  const domain = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  // Amazon's certificates do not cover bucket names with dots.
  if (endpoint === undefined && !bucket.includes("."))
    return new URL(`https://${bucket}.${domain}/`);
  const base = readWebAddress(endpoint ?? `https://${domain}`, "endpoint");
  if (base.search) throw invalid("endpoint must be a URL without a query");
  base.pathname = `${base.pathname.replace(/\/+$/, "")}/${bucket}/`;
  return base;
}

const unsigned: WebPlace = { secretsFor: async () => ({}) };

/** Signs requests with AWS Signature Version 4. Bodies are empty, and the signature does not cover them. */
function signing(accessKeyId: string, secretAccessKey: string, region: string): WebPlace {
  /** Cache of signing keys, which change every day. */
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

/** Encodes all characters except the unreserved ones (RFC 3986), as the signature requires. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function invalid(detail: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail]);
}
