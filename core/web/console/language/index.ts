// The language of the console: strings by language, and numbers and times in the reader's format.
// May import: nothing.
export { chooseWords } from "./chooseWords.ts";
export { counted } from "./counted.ts";
export {
  isolated,
  readerLocale,
  readerZone,
  textOf,
  writeAgo,
  writeBytes,
  writeCompact,
  writeDay,
  writeFullInstant,
  writeInstant,
  writeNumber,
} from "./formats.ts";
export { withText } from "./withText.ts";
