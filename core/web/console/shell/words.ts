import { chooseWords } from "../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings that the console shows for the frame of the console. */
export const words = chooseWords("shell/words", english);
