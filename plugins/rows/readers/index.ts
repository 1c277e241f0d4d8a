// Reader processes for untrusted bytes: their memory limit, and how their failures become errors of the plugin.
// May import: plugins/protocol, plugins/rows/correctableError, plugins/rows/remedy, plugins/rows/serving.
export { openReader, ReaderEnded, type Reader } from "./openReader.ts";
export { openReaderPool, type ReaderPool } from "./openReaderPool.ts";
export { ReaderFailure } from "./receivedFailure.ts";
export { unreadable } from "./unreadable.ts";
