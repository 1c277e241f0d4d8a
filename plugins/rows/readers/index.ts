// Reader processes for foreign bytes: their memory limit, and how their failures become answers.
// May import: plugins/protocol, plugins/rows/serving.
export { openReader, ReaderEnded, type Reader } from "./openReader.ts";
export { openReaderPool, type ReaderPool } from "./openReaderPool.ts";
export { ReaderFailure } from "./receivedFailure.ts";
export { unreadable } from "./unreadable.ts";
