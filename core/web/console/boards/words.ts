import { chooseWords } from "../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings of cards of dashboards. */
export const words = chooseWords("boards/words", english);
