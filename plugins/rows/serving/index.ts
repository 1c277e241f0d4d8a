// The code inside a reader process. It loads nothing else, so that a process starts fast.
// May import: nothing.
export {
  memorySignal,
  memoryVariable,
  type FromReader,
  type SentFailure,
  type ToReader,
} from "./messages.ts";
export type { BulkItem } from "./openBulk.ts";
export { unpackItem } from "./packItem.ts";
export { sentFailure } from "./sentFailure.ts";
export { serveReader, type ServedCall } from "./serveReader.ts";
