import { chooseWords } from "../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings that the console shows for the shared parts. */
export const words = chooseWords("parts/words", english);
