import { chooseWords } from "../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings that the console shows for records of any kind. */
export const words = chooseWords("records/words", english);
