import { chooseWords } from "../language/index.ts";
import { words as english } from "./savingWords/en.ts";

/** The strings that the console shows for saving an item to a dashboard. */
export const savingWords = chooseWords("questions/savingWords", english);
