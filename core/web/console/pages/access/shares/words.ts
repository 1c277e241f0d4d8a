import { chooseWords } from "../../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings that the console shows for members and shared records. */
export const words = chooseWords("pages/access/shares/words", english);
