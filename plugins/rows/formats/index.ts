// Readers of files of rows: separated values, JSON, Parquet, Arrow and Excel, each in its own process.
// May import: plugins/protocol, plugins/rows/correctableError, plugins/rows/dateFormat, plugins/rows/readDate,
// plugins/rows/readNumber, plugins/rows/readTable, plugins/rows/readValue, plugins/rows/readers, plugins/rows/remedy,
// plugins/rows/rowDriver, plugins/rows/serving, plugins/rows/wallTime, plugins/sql; apache-arrow, flatbuffers,
// hyparquet, saxes, yauzl.
export type { ByteSource, FoundData, TableName } from "./byteSource.ts";
export { remediesIn } from "../correctableError.ts";
export { remediesOf, type Remedy } from "../remedy.ts";
export { columnForms } from "./columnForms.ts";
export { endingsText, formatNamed, formatOf, requireFormat, type Format } from "./formats.ts";
export { textOfNote, type FileNote } from "./fileNote.ts";
export { joinBatches } from "./joinBatches.ts";
export { openFileReaders, type FileReaders } from "./openFileReaders.ts";
export { readCsv } from "./readCsv.ts";
export { readXml } from "./readXml.ts";
export {
  isDeclaredTypeName,
  declaredTypeNames,
  declaredTypes,
  type DeclaredType,
  type DeclaredTypeName,
} from "./declaredTypes.ts";
export {
  isSettingName,
  settingDefinitions,
  settingProperties,
  type SettingName,
} from "./settingDefinitions.ts";
export { readSettings, readType, type GivenSettings, type Settings } from "./settings.ts";
