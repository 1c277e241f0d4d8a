import { chooseWords } from "../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings of the shelves and of the list of columns. */
export const words = chooseWords("shelves/words", english);
