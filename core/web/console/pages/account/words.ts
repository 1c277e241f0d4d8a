import { chooseWords } from "../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings of the Account page. */
export const words = chooseWords("pages/account/words", english);
