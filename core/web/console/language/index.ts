// The language of the console: strings by language, and numbers and times in the reader's format.
// May import: nothing.
export { chooseWords, loadWords } from "./chooseWords.ts";
export { counted } from "./counted.ts";
export {
  isolated,
  readerZone,
  textOf,
  writeAgo,
  writeBytes,
  writeCompact,
  writeDay,
  writeFullInstant,
  writeInstant,
  writeMonth,
  writeNumber,
} from "./formats.ts";
export {
  chooseLanguage,
  consoleLanguages,
  languageChoice,
  languageNames,
  readerLanguage,
  readerLocale,
  type ConsoleLanguage,
  type LanguageChoice,
} from "./readerLanguage.ts";
export { writeList } from "./writeList.ts";
export { withText } from "./withText.ts";
