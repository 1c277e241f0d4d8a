import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createCertificate, type TestCertificate } from "../../support/certificate.ts";

export interface FileRequest {
  readonly path: string;
  readonly range?: string;
  readonly authorization?: string;
  readonly ifMatch?: string;
}

/** Called before the server responds. Must return true if it has sent a response itself. */
export type Fault = (request: FileRequest, response: ServerResponse) => boolean;

/** A file server over https. It serves `files` at `/files/`, and the same files as the S3 bucket `exports`. */
export interface FileServer {
  /** URL of the server. Its host name is `files.test`, which `address` resolves. */
  readonly url: string;
  readonly ca: string;
  /** Certificate authority of the server. Pass it when opening a second server, so that both use the same authority. */
  readonly authority: TestCertificate & { readonly name: string };
  readonly files: Map<string, Uint8Array>;
  readonly requests: FileRequest[];
  fault: Fault | undefined;
  hasRanges: boolean;
  hasTags: boolean;
  /** Number of objects per page of a listing. */
  pageSize: number;
  close(): Promise<void>;
}

export const s3Keys = { id: "AKIDCANARY", secret: "canary/secret+key", region: "eu-west-1" };

export async function openFileServer(
  authority: FileServer["authority"] = {
    name: "authority",
    ...createCertificate({ name: "authority" }),
  },
): Promise<FileServer> {
  const { certificate, key } = createCertificate({ name: "files.test", issuer: authority });
  const files = new Map<string, Uint8Array>();
  const requests: FileRequest[] = [];
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const { range, authorization, "if-match": ifMatch } = request.headers;
    const path = request.url ?? "/";
    const one = {
      path,
      ...(range !== undefined && { range }),
      ...(authorization !== undefined && { authorization }),
      ...(ifMatch !== undefined && { ifMatch }),
    };
    requests.push(one);
    if (opened.fault?.(one, response)) return;
    const url = new URL(path, opened.url);
    const name = decodeURIComponent(url.pathname).replace(/^\/(?:files|exports)\/?/, "");
    if (url.pathname.startsWith("/files/")) return sendFile(name, request, response);
    const wrong = signatureFault(request);
    if (wrong !== undefined) return sendFailure(response, 403, wrong);
    if (!/^\/exports(?:\/|$)/.test(url.pathname)) return sendFailure(response, 404, "NoSuchBucket");
    if (url.searchParams.get("list-type") === "2") return sendListing(url.searchParams, response);
    sendFile(name, request, response);
  });
  const sendFile = (name: string, { headers }: IncomingMessage, response: ServerResponse) => {
    const bytes = files.get(name);
    if (!bytes) return sendFailure(response, 404, "NoSuchKey");
    const etag = tagOf(bytes);
    if (opened.hasTags) response.setHeader("etag", etag);
    if (headers["if-match"] !== undefined && headers["if-match"] !== etag)
      return void response.writeHead(412).end();
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "") ?? [];
    if (!opened.hasRanges || first === undefined)
      return void response.setHeader("content-length", bytes.length).end(bytes);
    const from = Number(first);
    const to = Math.min(bytes.length, last ? Number(last) + 1 : Infinity);
    if (from >= bytes.length)
      return void response.writeHead(416, { "content-range": `bytes */${bytes.length}` }).end();
    response.writeHead(206, {
      "content-range": `bytes ${from}-${to - 1}/${bytes.length}`,
      "content-length": to - from,
    });
    response.end(bytes.subarray(from, to));
  };
  const sendListing = (parameters: URLSearchParams, response: ServerResponse) => {
    const keys = [...files.keys()]
      .toSorted()
      .filter((each) => each.startsWith(parameters.get("prefix") ?? ""));
    const from = Number(parameters.get("continuation-token") ?? 0);
    const contents = keys
      .slice(from, from + opened.pageSize)
      .map(
        (each) =>
          `<Contents><Key>${encodeURIComponent(each).replaceAll("%20", "+")}</Key><ETag>${tagOf(files.get(each)!).replaceAll('"', "&quot;")}</ETag><Size>${files.get(each)!.length}</Size></Contents>`,
      );
    const to = from + opened.pageSize;
    const isTruncated = to < keys.length;
    const next = isTruncated ? `<NextContinuationToken>${to}</NextContinuationToken>` : "";
    response.end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
    );
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const opened: FileServer = {
    url: `https://files.test:${(server.address() as AddressInfo).port}`,
    ca: authority.certificate,
    authority,
    files,
    requests,
    fault: undefined,
    hasRanges: true,
    hasTags: true,
    pageSize: 1000,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return opened;
}

/** Responds with an S3 error whose message contains secrets. No message of the connector may show them. */
function sendFailure(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(`<Error><Code>${code}</Code><Message>canary ${s3Keys.secret}</Message></Error>`);
}

function tagOf(bytes: Uint8Array): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}

/**
 * Returns the error code with which S3 would refuse the signature of a request; undefined if the signature is valid.
 */
function signatureFault({ method = "", url = "", headers }: IncomingMessage): string | undefined {
  const given =
    /^AWS4-HMAC-SHA256 Credential=(.+?)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, *SignedHeaders=([\w;-]+), *Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    );
  if (!given) return "AccessDenied";
  const [, id, day = "", region = "", signedHeaders = "", signature] = given;
  if (id !== s3Keys.id) return "InvalidAccessKeyId";
  if (region !== s3Keys.region) return "AuthorizationHeaderMalformed";
  const at = String(headers["x-amz-date"]);
  const isNow = at.startsWith(day) && Math.abs(Date.now() - instantOf(at)) < 900_000;
  if (!isNow) return "RequestTimeTooSkewed";
  for (const needed of ["host", "x-amz-date", "x-amz-content-sha256"])
    if (!signedHeaders.split(";").includes(needed)) return "AccessDenied";
  const told = signatureOf({ method, url, headers, signedHeaders, secret: s3Keys.secret, region });
  return told === signature ? undefined : "SignatureDoesNotMatch";
}

const instantOf = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));

export interface SignedRequest {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly signedHeaders: string;
  readonly secret: string;
  readonly region: string;
}

/** Computes the version 4 signature of a request (Amazon S3 API reference, sig-v4-header-based-auth). */
export function signatureOf({
  method,
  url,
  headers,
  signedHeaders,
  secret,
  region,
}: SignedRequest): string {
  const [path = "", query = ""] = url.split("?");
  const at = String(headers["x-amz-date"]);
  const canonical = [
    method,
    path,
    query
      .split("&")
      .filter((pair) => pair !== "")
      .toSorted()
      .join("&"),
    ...signedHeaders.split(";").map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    signedHeaders,
    String(headers["x-amz-content-sha256"]),
  ].join("\n");
  const scope = `${at.slice(0, 8)}/${region}/s3/aws4_request`;
  const digest = createHash("sha256").update(canonical).digest("hex");
  const sign = (key: string | Buffer, text: string) =>
    createHmac("sha256", key).update(text).digest();
  const key = [at.slice(0, 8), region, "s3", "aws4_request"].reduce<string | Buffer>(
    sign,
    `AWS4${secret}`,
  );
  return sign(key, ["AWS4-HMAC-SHA256", at, scope, digest].join("\n")).toString("hex");
}
