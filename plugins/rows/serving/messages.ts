import type { BulkItem } from "./openBulk.ts";

/** A message from the host to a reader process. Several calls may run concurrently; `id` identifies the call. */
export type ToReader<Request, Supply> =
  | { readonly kind: "call"; readonly id: number; readonly request: Request }
  /** Says that the host has received an item. The reader may send one more. */
  | { readonly kind: "more"; readonly id: number }
  /** Says that the host wants no more items of the call. */
  | { readonly kind: "stop"; readonly id: number }
  /** The host's answer to a `need`. */
  | {
      readonly kind: "supply";
      readonly id: number;
      readonly needId: number;
      readonly supply?: Supply;
      readonly failure?: SentFailure;
    };

/** A message from a reader process to the host. The last message of every call is `end` or `failed`. */
export type FromReader<Need> =
  | ({ readonly kind: "item"; readonly id: number } & BulkItem)
  | { readonly kind: "end"; readonly id: number }
  | { readonly kind: "failed"; readonly id: number; readonly failure: SentFailure }
  /** Requests data that only the host can fetch, such as the bytes at an address. */
  | { readonly kind: "need"; readonly id: number; readonly needId: number; readonly need: Need };

/** An error in the form in which processes send it, because the class of an error cannot be sent. */
export interface SentFailure {
  readonly name?: string;
  readonly message: string;
  /** The code of a `PluginError`, or the error number that a library uses. */
  readonly code?: string | number;
  /** The details of a `PluginError`. */
  readonly details?: readonly (string | number)[];
  /** The remedies of a `CorrectableError`. */
  readonly remedies?: readonly object[];
}

/** Number of items that a reader may send before the host requests more. */
export const itemsAhead = 2;

/** The signal with which a reader kills itself when it exceeds its memory limit. */
export const memorySignal = "SIGUSR2";

/** The environment variable that contains the memory limit of a reader in bytes. */
export const memoryVariable = "MANIFOLD_READER_MEMORY_BYTES";
