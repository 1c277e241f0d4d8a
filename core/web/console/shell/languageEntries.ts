import {
  chooseLanguage,
  consoleLanguages,
  languageChoice,
  languageNames,
  type LanguageChoice,
} from "../language/index.ts";
import { words } from "./words.ts";

/** A language in a menu. Choosing it loads the page again, because pages keep the words with which they were loaded. */
export interface LanguageEntry {
  readonly label: string;
  readonly isChosen: boolean;
  run(): void;
}

/** Returns the languages of the console for menus, each under its own name; the browser's comes first. */
export function languageEntries(): LanguageEntry[] {
  const entry = (choice: LanguageChoice, label: string): LanguageEntry => ({
    label,
    isChosen: languageChoice() === choice,
    run() {
      chooseLanguage(choice);
      location.reload();
    },
  });
  return [
    entry("browser", words.browserLanguage),
    ...consoleLanguages.map((language) => entry(language, languageNames[language])),
  ];
}
