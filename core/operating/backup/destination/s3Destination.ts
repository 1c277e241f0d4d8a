import { AwsClient } from "aws4fetch";
import type { BackupDestination } from "./backupDestination.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Maximum time for a complete response, in milliseconds. */
const answerMs = 120_000;
/** Maximum number of retries of a request that the service could not answer. */
const retryCount = 6;

/**
 * Returns the content of each XML element with the given name. This is enough to read the keys and the token in a
 * listing.
 */
const texts = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, "g"))].map(([, text]) =>
    String(text)
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&apos;", "'")
      .replaceAll("&amp;", "&"),
  );

/**
 * Creates a destination in an S3 bucket, or in a compatible service. Credentials, region and endpoint come from the
 * environment variables of the AWS tools: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION,
 * AWS_ENDPOINT_URL.
 * @throws {Error} that names the missing variable
 */
export function s3Destination(address: URL, environment: Environment): BackupDestination {
  const accessKeyId = environment["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = environment["AWS_SECRET_ACCESS_KEY"];
  if (!accessKeyId || !secretAccessKey)
    throw new Error(
      "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be the credentials of the bucket",
    );
  const sessionToken = environment["AWS_SESSION_TOKEN"];
  const region = environment["AWS_REGION"] || environment["AWS_DEFAULT_REGION"] || "us-east-1";
  const endpoint = environment["AWS_ENDPOINT_URL_S3"] || environment["AWS_ENDPOINT_URL"];
  const bucket = address.hostname;
  const prefix = decodeURIComponent(address.pathname).replace(/^\/+|\/+$/g, "");
  const root = endpoint
    ? `${endpoint.replace(/\/+$/, "")}/${bucket}`
    : `https://${bucket}.s3.${region}.amazonaws.com`;
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region,
    service: "s3",
    retries: retryCount,
    ...(sessionToken && { sessionToken }),
  });
  const keyOf = (name: string) => (prefix === "" ? name : `${prefix}/${name}`);
  const urlOf = (name: string) =>
    `${root}/${keyOf(name).split("/").map(encodeURIComponent).join("/")}`;
  const send = async (url: string, what: string, init: RequestInit = {}) => {
    const answer = await client.fetch(url, { ...init, signal: AbortSignal.timeout(answerMs) });
    if (answer.ok || answer.status === 404) return answer;
    const [code] = texts(await answer.text(), "Code");
    throw new Error(`the bucket ${bucket} refuses to ${what}: ${answer.status} ${code ?? ""}`);
  };
  const put = async (name: string, parts: readonly Uint8Array[]) => {
    // Copy the bytes, because a request body must not be shared memory.
    const body = new Uint8Array(Buffer.concat(parts));
    const answer = await send(urlOf(name), `write ${name}`, { method: "PUT", body });
    if (!answer.ok) throw new Error(`the bucket ${bucket} does not exist`);
  };
  return {
    title: `s3://${bucket}/${prefix}`,
    async read(name) {
      const answer = await send(urlOf(name), `read ${name}`);
      return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined;
    },
    write: (name, bytes) => put(name, [bytes]),
    stage: put,
    settle: () => Promise.resolve(),
    clean: () => Promise.resolve(),
    async list(folder) {
      const names: string[] = [];
      const start = keyOf(`${folder}/`);
      for (let token: string | undefined = ""; token !== undefined;) {
        // A space must be encoded as %20 here, because the signature uses %20.
        const next = token === "" ? "" : `continuation-token=${encodeURIComponent(token)}&`;
        const query = `${next}list-type=2&prefix=${encodeURIComponent(start)}`;
        const answer = await send(`${root}/?${query}`, `list ${folder}`);
        if (!answer.ok) throw new Error(`the bucket ${bucket} does not exist`);
        const xml = await answer.text();
        for (const key of texts(xml, "Key"))
          names.push(prefix === "" ? key : key.slice(prefix.length + 1));
        [token] = texts(xml, "NextContinuationToken");
      }
      return names;
    },
    async remove(name) {
      await send(urlOf(name), `remove ${name}`, { method: "DELETE" });
    },
  };
}
