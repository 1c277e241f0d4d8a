import { chooseWords } from "../../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings of the import dialog. */
export const words = chooseWords("pages/data/imports/words", english);
