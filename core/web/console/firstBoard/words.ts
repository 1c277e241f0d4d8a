import { chooseWords } from "../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings of a dashboard that is made from the shape of a dataset. */
export const words = chooseWords("firstBoard/words", english);
