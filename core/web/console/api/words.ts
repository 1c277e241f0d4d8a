import { chooseWords } from "../language/index.ts";
import { words as english } from "./words/en.ts";

/** The messages about calls that the host did not answer, or answered without a message. */
export const words = chooseWords("api/words", english);
