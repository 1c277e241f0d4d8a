// Readers of files of rows: separated values, JSON, Parquet, Arrow and Excel, each in its own process.
// May import: plugins/protocol, plugins/rows/readTable, plugins/rows/readValue, plugins/rows/readers,
// plugins/rows/rowDriver, plugins/rows/serving, plugins/sql; apache-arrow, hyparquet, saxes, yauzl.
export type { ByteSource, FoundData, TableName } from "./byteSource.ts";
export { endingsText, formatNamed, formatOf, requireFormat, type Format } from "./formats.ts";
export { openFileReaders, type FileReaders } from "./openFileReaders.ts";
export { readCsv } from "./readCsv.ts";
export { readXml } from "./readXml.ts";
export { readSettings } from "./settings.ts";
