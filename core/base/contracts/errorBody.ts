import { STATUS_CODES } from "node:http";
import type { PluginError } from "../../../plugins/protocol/index.ts";
import { ApiError } from "../errors.ts";

/** The body of the response to a failed call, in a form that every existing client can read. */
export interface ErrorBody {
  readonly code: number;
  readonly type: { readonly code: string; readonly description: string };
  readonly message: string;
  readonly validation?: Readonly<Record<string, readonly string[]>>;
  /** Of an upload that was cut: the number of bytes that the host has. */
  readonly received_bytes?: number;
  /** Settings for reading a file that can correct the error, with the proposed values. */
  readonly remedies?: readonly object[];
}

/**
 * Returns the response body for an error, either of a whole call or of one query among several. `code` is the HTTP
 * status.
 */
export function errorBody(error: ApiError | PluginError): ErrorBody {
  const { validation, receivedBytes, remedies }: Partial<ApiError> =
    error instanceof ApiError ? error : {};
  return {
    code: error.status,
    type: { code: error.code, description: STATUS_CODES[error.status] ?? "Error" },
    message: error.message,
    ...(validation ? { validation } : {}),
    ...(receivedBytes !== undefined && { received_bytes: receivedBytes }),
    ...(remedies && { remedies }),
  };
}
