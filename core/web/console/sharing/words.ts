import { chooseWords } from "../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings that the console shows for rights, row filters and views as another person. */
export const words = chooseWords("sharing/words", english);
