// Processes that read foreign bytes: one door, one budget of memory, and an end that is an answer.
// May import: plugins/protocol, plugins/rows/serving.
export { openReader, ReaderEnded, type Reader } from "./openReader.ts";
export { openReaderPool, type ReaderPool } from "./openReaderPool.ts";
export { ReaderFailure } from "./receivedFailure.ts";
export { unreadable } from "./unreadable.ts";
