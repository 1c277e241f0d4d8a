/** A message of the host to a reader process. Calls are told apart by their id; several may run at a time. */
export type ToReader<Request, Supply> =
  | { readonly kind: "call"; readonly id: number; readonly request: Request }
  /** One more item may be sent. */
  | { readonly kind: "more"; readonly id: number }
  /** No more items are wanted. */
  | { readonly kind: "stop"; readonly id: number }
  /** The answer to a `need`. */
  | {
      readonly kind: "supply";
      readonly id: number;
      readonly needId: number;
      readonly supply?: Supply;
      readonly failure?: SentFailure;
    };

/** A message of a reader process to the host. Every call ends with `end` or `failed`. */
export type FromReader<Item, Need> =
  | { readonly kind: "item"; readonly id: number; readonly item: Item }
  | { readonly kind: "end"; readonly id: number }
  | { readonly kind: "failed"; readonly id: number; readonly failure: SentFailure }
  /** The reader needs something that only the host can get, such as bytes of a file behind an address. */
  | { readonly kind: "need"; readonly id: number; readonly needId: number; readonly need: Need };

/** An error as sent between processes, without its class. */
export interface SentFailure {
  readonly name?: string;
  readonly message: string;
  /** The code of a `PluginError`, or the number that a library gives its errors. */
  readonly code?: string | number;
  /** The details of a `PluginError`. */
  readonly details?: readonly (string | number)[];
}

/** Items that a reader sends ahead of `more`. */
export const itemsAhead = 2;

/** The signal with which a reader kills itself when it exceeds its memory limit. */
export const memorySignal = "SIGUSR2";

/** The environment variable that tells a reader the resident bytes that it may use. */
export const memoryVariable = "MANIFOLD_READER_MEMORY_BYTES";
