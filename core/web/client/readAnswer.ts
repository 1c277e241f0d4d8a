import { ClientError } from "./clientError.ts";
import { remediesIn } from "./remedy.ts";

/** Media types of text that the host returns. Answers of other types are files, except for JSON. */
const textTypes = ["text/plain", "text/event-stream", "application/x-ndjson"];

/** The members of an error response that the client reads. */
interface ErrorBody {
  readonly message?: unknown;
  readonly type?: unknown;
  readonly request_id?: unknown;
  readonly validation?: unknown;
  readonly received_bytes?: unknown;
  readonly remedies?: unknown;
}

/**
 * Parses the body of an error response. Returns an empty object if the body is not JSON, as in some responses of
 * proxies.
 */
function bodyOf(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? { ...body } : {};
  } catch {
    return {};
  }
}

/**
 * Reads the error of a response outside 200–299.
 * @throws {ClientError}
 */
export async function refuseFailed(response: Response): Promise<void> {
  const { status } = response;
  if (response.ok) return;
  const { message, type, request_id, validation, received_bytes, remedies } = bodyOf(
    await response.text(),
  );
  const code = typeof type === "object" && type !== null && "code" in type ? type.code : status;
  throw new ClientError(
    typeof message === "string" ? message : `the host responded with status ${status}`,
    {
      status,
      code: String(code),
      requestId: typeof request_id === "string" ? request_id : undefined,
      validation: validation as Readonly<Record<string, readonly string[]>> | undefined,
      receivedBytes: typeof received_bytes === "number" ? received_bytes : undefined,
      remedies: remediesIn(remedies),
      retryAfterS: Number(response.headers.get("Retry-After")),
    },
  );
}

/**
 * Returns the value of a JSON response, a text as a string, and a file as a `Uint8Array`. Responses without a media
 * type are JSON.
 * @throws {ClientError} With the code `NOT_JSON`.
 */
export async function readAnswer<Answer>(response: Response): Promise<Answer> {
  return (await readValue(response)) as Answer;
}

async function readValue(response: Response): Promise<unknown> {
  const [mediaType = ""] = (response.headers.get("Content-Type") ?? "").split(";");
  if (textTypes.includes(mediaType)) return response.text();
  if (mediaType !== "" && mediaType !== "application/json")
    return new Uint8Array(await response.arrayBuffer());
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { status, url } = response;
    const message = `the response of ${url} is not JSON; check that the address is that of a Manifold host`;
    throw new ClientError(message, { status, code: "NOT_JSON", cause });
  }
}
