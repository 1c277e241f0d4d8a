import { createServer, type IncomingMessage } from "node:http";
import { signatureOf } from "../../../connectors/files/openFileServer.ts";

/** A bucket named `backups` on loopback that implements the S3 API and refuses wrong signatures. */
export interface Bucket {
  readonly url: string;
  readonly objects: Map<string, Uint8Array>;
  /** Statuses with which the bucket responds to the next requests, one per request. */
  readonly failures: number[];
  close(): Promise<void>;
}

export const bucketKeys = { id: "AKIDBACKUP", secret: "a/secret+key", region: "eu-west-1" };

/** Number of objects per page of a listing. */
const pageSize = 3;

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of request) if (part instanceof Uint8Array) parts.push(part);
  return Buffer.concat(parts);
}

function isSigned({ method = "", url = "", headers }: IncomingMessage): boolean {
  const { id, secret, region } = bucketKeys;
  const [, given, signedHeaders = "", signature] =
    /Credential=([^/]+)\/.*SignedHeaders=([\w;-]+), *Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  const expected = signatureOf({ method, url, headers, signedHeaders, secret, region });
  return given === id && expected === signature;
}

export async function openBucket(): Promise<Bucket> {
  const objects = new Map<string, Uint8Array>();
  const failures: number[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://bucket.test");
      const failure = failures.shift();
      if (failure !== undefined) return response.writeHead(failure).end();
      if (!isSigned(request))
        return response.writeHead(403).end("<Error><Code>SignatureDoesNotMatch</Code></Error>");
      if (!/^\/backups(\/|$)/.test(pathname)) return response.writeHead(404).end();
      const key = decodeURIComponent(pathname.slice("/backups/".length));
      if (searchParams.get("list-type") === "2") {
        const keys = [...objects.keys()]
          .filter((each) => each.startsWith(searchParams.get("prefix") ?? ""))
          .toSorted();
        const from = Number(searchParams.get("continuation-token") ?? 0);
        const to = from + pageSize;
        const next = to < keys.length ? `<NextContinuationToken>${to}</NextContinuationToken>` : "";
        const shown = keys.slice(from, to).map((each) => `<Key>${each}</Key>`);
        return response.end(`<ListBucketResult>${shown.join("")}${next}</ListBucketResult>`);
      }
      if (request.method === "PUT") objects.set(key, body);
      if (request.method === "DELETE") objects.delete(key);
      const found = objects.get(key);
      if (request.method === "GET" && !found) return response.writeHead(404).end();
      return response.end(request.method === "GET" ? found : undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    failures,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
