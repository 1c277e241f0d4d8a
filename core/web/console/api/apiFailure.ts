import { isList } from "./isList.ts";
import { isRecord } from "./isRecord.ts";
import { words } from "./words.ts";

/** A call that the API rejected, or that did not reach the host (`status` 0). */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  readonly status: number;
  /** The stable name of the error, such as `MEMBER_MISSING`. */
  readonly code: string;
  readonly requestId: string | undefined;
  /** Messages by the path of the invalid member; empty if no member is invalid. */
  readonly validation: Readonly<Record<string, readonly string[]>>;
  /** The bytes of an interrupted upload that the host has; undefined for any other failure. */
  readonly receivedBytes: number | undefined;
  /** The settings that can correct how a file is read, as the host sent them; undefined for any other failure. */
  readonly remedies: unknown;

  constructor(status: number, body: Readonly<Record<string, unknown>>, options?: ErrorOptions) {
    const { message, type, request_id: requestId, received_bytes: received, validation } = body;
    super(typeof message === "string" ? message : words.status(status), options);
    this.status = status;
    this.code = String((isRecord(type) ? type["code"] : undefined) ?? status);
    this.requestId = typeof requestId === "string" ? requestId : undefined;
    this.validation = mistakesOf(validation);
    this.remedies = body["remedies"];
    this.receivedBytes = typeof received === "number" ? received : undefined;
  }
}

function mistakesOf(validation: unknown): ApiFailure["validation"] {
  if (!isRecord(validation)) return {};
  return Object.fromEntries(
    Object.entries(validation).map(([member, mistakes]) => [
      member,
      isList(mistakes) ? mistakes.map(String) : [String(mistakes)],
    ]),
  );
}
